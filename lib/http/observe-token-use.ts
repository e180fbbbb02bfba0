import "server-only";
import { onRequestFinished } from "@/lib/http/observe";
import { now } from "@/lib/platform/clock";
import { log } from "@/lib/platform/log";
import { recordTokenUse, type TokenUses } from "@/lib/tokens/record-token-use";

const WRITE_EVERY_MS = 2000;

/** Notes when tokens are used, off the response's path: one statement every two seconds, and one at the end. */
export function startTokenUse(): { stop(): Promise<void> } {
  let uses: TokenUses = new Map();

  const stopObserving = onRequestFinished(({ caller }) => {
    if (caller?.actor.type !== "api") return;
    uses.set(caller.actor.tokenId, { accountId: caller.account.id, at: now() });
  });

  async function write(): Promise<void> {
    const noted = uses;
    uses = new Map();
    await recordTokenUse(noted).catch((error: Error) =>
      log.warn({ error: error.message }, "the last use of tokens was not written"),
    );
  }

  const timer = setInterval(() => void write(), WRITE_EVERY_MS).unref();
  return {
    async stop() {
      stopObserving();
      clearInterval(timer);
      await write();
    },
  };
}
