import "server-only";
import { recordTokenUse, type TokenUses } from "@/lib/identity/tokens/record-token-use";
import { tokenIdOf } from "@/lib/platform/context";
import { requestClient } from "@/lib/platform/http/request-client";
import { flushEvery } from "@/lib/platform/tasks/flush-every";
import { now } from "@/lib/platform/time/clock";
import { onRequestFinished } from "@/lib/runtime/http/observe";

const WRITE_EVERY_MS = 2000;

/** Records when tokens are used, without delaying responses: one statement every two seconds, and one on stop. */
export function startTokenUse(): { stop(): Promise<void> } {
  let uses: TokenUses = new Map();

  const stopObserving = onRequestFinished(({ caller }) => {
    if (caller === undefined) return;
    const tokenId = tokenIdOf(caller.actor);
    if (tokenId === null) return;
    uses.set(tokenId, {
      accountId: caller.account.id,
      at: now(),
      address: requestClient().address,
    });
  });

  const flushing = flushEvery({
    name: "the last use of tokens",
    everyMs: WRITE_EVERY_MS,
    flush() {
      const noted = uses;
      uses = new Map();
      return recordTokenUse(noted);
    },
  });
  return {
    stop() {
      stopObserving();
      return flushing.stop();
    },
  };
}
