import "server-only";
import { acceptPoll, checkPoll, SendPoll } from "@/lib/messaging/polls/send-poll";
import { DryRun, DryRunQuery, dryRunOf } from "@/lib/messaging/sending/dry-run";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";

export const TrySendPoll = contract({
  ...SendPoll,
  summary: "Dry run of a poll",
  description: "Runs every check of a poll without sending.",
  query: DryRunQuery,
  returns: DryRun,
  status: 200,
});

/** The dry run of a poll. Errors: chat_not_found, access_denied. */
export async function trySendPoll(ctx: Context, { params: { chatId }, body }: Input<typeof TrySendPoll>) {
  const wanted = { chatId, poll: body.poll, overrideOptout: body.override_optout };
  return dryRunOf(ctx, {
    content: {},
    needsIMessage: true,
    target: { chatId },
    send: async (rolledBack) =>
      (await checkPoll(ctx, wanted)) ?? rolledBack((tx) => acceptPoll(tx, ctx, wanted)),
  });
}
