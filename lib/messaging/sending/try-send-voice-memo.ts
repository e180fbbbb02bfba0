import "server-only";
import { DryRun, DryRunQuery, dryRunOf } from "@/lib/messaging/sending/dry-run";
import { acceptPrepared } from "@/lib/messaging/sending/prepare-message";
import { acceptMemo, prepareMemo, SendVoiceMemo } from "@/lib/messaging/sending/send-voice-memo";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";

export const TrySendVoiceMemo = contract({
  ...SendVoiceMemo,
  summary: "Dry run of a voice memo",
  description: "Runs every check of a voice memo without sending.",
  query: DryRunQuery,
  returns: DryRun,
  status: 200,
});

/** The dry run of a voice memo. Errors: chat_not_found, access_denied. */
export async function trySendVoiceMemo(ctx: Context, { params, body }: Input<typeof TrySendVoiceMemo>) {
  return dryRunOf(ctx, {
    content: {},
    needsIMessage: false,
    target: params,
    when: body,
    async send(rolledBack) {
      const prepared = await prepareMemo(ctx, { params, body });
      if (prepared.replayOf !== null) return prepared;
      const accepting = rolledBack((tx) =>
        acceptMemo(tx, ctx, { chatId: params.chatId, prepared, overrideOptout: body.override_optout }),
      );
      return acceptPrepared(prepared, accepting);
    },
  });
}
