import "server-only";
import { SEND_NOW } from "@/lib/messaging/scheduled/plan-send";
import { dueTimeOf } from "@/lib/messaging/scheduled/send-at";
import { acceptFirst, CreateChat, toChatToOpen } from "@/lib/messaging/sending/create-chat";
import { DryRun, DryRunQuery, dryRun } from "@/lib/messaging/sending/dry-run";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";

export const TryCreateChat = contract({
  ...CreateChat,
  summary: "Dry run of a first message",
  description: "Runs every check of a first message without sending it.",
  query: DryRunQuery,
  returns: DryRun,
  status: 200,
});

/** The dry run of a first message. Errors: line_not_permitted, parameter_invalid, chat_being_created. */
export async function tryCreateChat(ctx: Context, { body }: Input<typeof TryCreateChat>) {
  dueTimeOf(ctx, body.send_at);
  const toOpen = await toChatToOpen(ctx, body);
  return dryRun(ctx, {
    content: body.message,
    target: { lineId: toOpen.line.id, recipients: toOpen.recipients },
    when: body,
    accept: async (tx, prepared) => {
      const { sent } = await acceptFirst(tx, ctx, {
        toOpen,
        prepared,
        overrideOptout: body.override_optout,
        plan: SEND_NOW,
      });
      return sent;
    },
  });
}
