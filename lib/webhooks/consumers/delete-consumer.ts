import "server-only";
import { recordAudit } from "@/lib/identity/audit/record-audit";
import { withdrawNotices } from "@/lib/identity/notices/record-notice";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { transaction } from "@/lib/platform/database/db";
import { plannedStatement } from "@/lib/platform/database/statement";
import { ConsumerParams } from "@/lib/webhooks/consumers/consumer";
import { failUnknown } from "@/lib/webhooks/consumers/find-consumer";
import { IDLE_KIND } from "@/lib/webhooks/consumers/sweep-consumers";

export const DeleteConsumer = contract({
  summary: "Delete a consumer",
  description: "Deletes a consumer and its position. The events stay in the log. A Trunkline extension.",
  tag: "Webhooks",
  right: "manage_webhooks",
  params: ConsumerParams,
  status: 204,
  errors: ["parameter_invalid", "consumer_not_found"],
  extension: true,
});

const DELETE_CONSUMER = plannedStatement(
  "delete-consumer",
  "delete from event_consumers where account_id = :accountId and name = :name returning id",
);

/** Deletes a consumer and withdraws its notice. Errors: consumer_not_found. */
export async function deleteConsumer(
  ctx: Context,
  { params: { name } }: Input<typeof DeleteConsumer>,
): Promise<undefined> {
  await transaction(async (tx) => {
    const [deleted] = await tx.run(DELETE_CONSUMER, { accountId: ctx.account.id, name });
    if (deleted === undefined) return failUnknown(name);
    const about = { accountId: ctx.account.id, objectId: deleted.id, kinds: [IDLE_KIND], at: ctx.now };
    await withdrawNotices(tx, about);
    await recordAudit(tx, ctx, "consumer.deleted", "consumer", name);
  });
}
