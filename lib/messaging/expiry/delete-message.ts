import "server-only";
import { recordAudit } from "@/lib/identity/audit/record-audit";
import { eraseContent } from "@/lib/messaging/expiry/erase-content";
import { throwNotFoundOrDenied } from "@/lib/messaging/messages/find-message";
import { MessageParams } from "@/lib/messaging/messages/message";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { transaction } from "@/lib/platform/database/db";

export const DeleteMessage = contract({
  summary: "Delete a message from Trunkline",
  description:
    "Deletes Trunkline's record of a message. The message is not unsent: recipients keep it. A later request with the same idempotency key fails with 2002.",
  tag: "Messages",
  right: "send_messages",
  params: MessageParams,
  status: 204,
  errors: ["message_not_found", "access_denied"],
});

/**
 * Erases the message's content everywhere in Trunkline, without unsending it. The row remains, so that a repeated
 * idempotency key returns 404 and nothing is resent (partner-api.md, MessageContent). Errors: message_not_found,
 * access_denied.
 */
export async function deleteMessage(
  ctx: Context,
  { params }: Input<typeof DeleteMessage>,
): Promise<undefined> {
  const deleted = await transaction(async (tx) => {
    const rows = await tx.query<{ id: string }>({
      text: `update messages
             set deleted_at = $3, updated_at = $3, dispatch_at = null
             where account_id = $1 and id = $2 and deleted_at is null returning id`,
      values: [ctx.account.id, params.messageId, ctx.now],
    });
    if (rows.length === 0) return false;
    await eraseContent(tx, ctx.account.id, [params.messageId]);
    await recordAudit(tx, ctx, "message.deleted", "message", params.messageId);
    return true;
  });
  if (!deleted) await throwNotFoundOrDenied(ctx, params.messageId);
}
