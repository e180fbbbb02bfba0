import "server-only";
import { recordUserChange } from "@/lib/identity/audit/record-audit";
import { failWithoutScheduled } from "@/lib/messaging/scheduled/missing-scheduled";
import { freeFiles, removeFiles } from "@/lib/messaging/scheduled/scheduled-files";
import { ScheduledParams } from "@/lib/messaging/scheduled/scheduled-message";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { transaction } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { redactRequestBodies } from "@/lib/request-log/retention/redact-request-bodies";

export const CancelScheduledMessage = contract({
  summary: "Cancel a scheduled message",
  description:
    "Cancels a message that waits for its time and erases its content. A message that was sent meanwhile fails with 2015. A later request with the same idempotency key fails with 2002. A Trunkline extension.",
  tag: "Messages",
  right: "send_messages",
  params: ScheduledParams,
  status: 204,
  errors: ["message_not_found", "access_denied", "state_conflict"],
  extension: true,
});

const CANCEL_SCHEDULED_MESSAGE = statement(
  "cancel-scheduled-message",
  `update scheduled_messages s set due_at = null, content = null, parts = null, lease_until = null, canceled_at = :now,
    updated_at = :now, revision = revision + 1
  where s.account_id = :accountId and s.id = :messageId and s.due_at is not null returning s.chat_id`,
);

/**
 * Cancels a message before it is due. Either this or the send takes the message's row. Errors: as
 * `CancelScheduledMessage`.
 */
export async function cancelScheduledMessage(
  ctx: Context,
  { params }: Pick<Input<typeof CancelScheduledMessage>, "params">,
): Promise<undefined> {
  const accountId = ctx.account.id;
  const { messageId } = params;
  const files = await transaction(async (tx) => {
    const [row] = await tx.run(CANCEL_SCHEDULED_MESSAGE, { accountId, messageId, now: ctx.now });
    if (row === undefined) return null;
    const freed = await freeFiles(tx, { accountId, messageId });
    await recordUserChange(tx, ctx, "message.schedule_canceled", messageId, { chat_id: row.chat_id });
    await redactRequestBodies(tx, accountId, [messageId]);
    return freed;
  });
  if (files === null) return failWithoutScheduled(ctx, messageId);
  await removeFiles(accountId, files);
}
