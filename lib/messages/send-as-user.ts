import "server-only";
import { recordAudit } from "@/lib/audit/record-audit";
import { withPreparedParts } from "@/lib/messages/prepare-parts";
import { acceptContent, repeatedMessage, type SendMessage } from "@/lib/messages/send-message";
import type { Context } from "@/lib/platform/context";
import type { Input } from "@/lib/platform/contract";
import { transaction } from "@/lib/platform/db";
import { requireRight } from "@/lib/users/role-rights";

/** As `sendMessage`, by a person from the dashboard: the role must allow it, and who sent it is on record. */
export async function sendAsUser(
  ctx: Context,
  { params, body }: Pick<Input<typeof SendMessage>, "params" | "body">,
) {
  requireRight(ctx, "send_messages");

  const { chatId } = params;
  const sent = await withPreparedParts(ctx, body.message, { chatId }, (prepared) =>
    transaction(async (tx) => {
      const accepted = await acceptContent(ctx, chatId, prepared, body.override_optout, tx);
      if (accepted.replayOf === null) {
        await recordAudit(tx, ctx, "message.sent", "message", accepted.message.id, { chat_id: chatId });
      }
      return accepted;
    }),
  );

  if (sent.replayOf !== null) return repeatedMessage(ctx, sent.replayOf);
  return { chat_id: chatId, message: sent.message };
}
