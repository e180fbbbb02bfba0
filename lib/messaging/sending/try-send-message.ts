import "server-only";
import { dueTimeOf } from "@/lib/messaging/scheduled/send-at";
import { DryRun, DryRunQuery, dryRun } from "@/lib/messaging/sending/dry-run";
import { acceptContent, SendMessage } from "@/lib/messaging/sending/send-message";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";

export const TrySendMessage = contract({
  ...SendMessage,
  summary: "Dry run of a message",
  description: "Runs every check of a send without sending.",
  query: DryRunQuery,
  returns: DryRun,
  status: 200,
});

/** The dry run of a message to a chat. Errors: chat_not_found, access_denied. */
export async function trySendMessage(
  ctx: Context,
  { params: { chatId }, body }: Input<typeof TrySendMessage>,
) {
  dueTimeOf(ctx, body.send_at);
  return dryRun(ctx, {
    content: body.message,
    target: { chatId },
    when: body,
    accept: (tx, prepared) => acceptContent(ctx, chatId, prepared, body.override_optout, tx),
  });
}
