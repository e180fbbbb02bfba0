import "server-only";
import { recordAudit } from "@/lib/identity/audit/record-audit";
import { eraseContent } from "@/lib/messaging/expiry/erase-content";
import { throwNotFoundOrDenied } from "@/lib/messaging/messages/find-message";
import { MessageParams } from "@/lib/messaging/messages/message";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { transaction } from "@/lib/platform/database/db";
import { plannedStatement } from "@/lib/platform/database/statement";

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

const DELETE_MESSAGE = plannedStatement(
  "delete-message",
  `update messages
  set deleted_at = :now, updated_at = :now, dispatch_at = null
  where account_id = :accountId and id = :messageId and deleted_at is null returning id`,
);

/**
 * Erases the message's content everywhere in Trunkline, without unsending it. The row remains, so that a repeated
 * idempotency key returns 404 and nothing is resent (docs/contract.md, section 4.1). Errors: message_not_found,
 * access_denied.
 */
export async function deleteMessage(
  ctx: Context,
  { params }: Input<typeof DeleteMessage>,
): Promise<undefined> {
  const deleted = await transaction(async (tx) => {
    const rows = await tx.run(DELETE_MESSAGE, {
      accountId: ctx.account.id,
      messageId: params.messageId,
      now: ctx.now,
    });
    if (rows.length === 0) return false;
    await eraseContent(tx, ctx.account.id, [params.messageId]);
    await recordAudit(tx, ctx, "message.deleted", "message", params.messageId);
    return true;
  });
  if (!deleted) await throwNotFoundOrDenied(ctx, params.messageId);
}
