import "server-only";
import { z } from "zod";
import { recordAudit } from "@/lib/identity/audit/record-audit";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { transaction } from "@/lib/platform/database/db";
import { plannedStatement } from "@/lib/platform/database/statement";
import { Consumer, ConsumerParams, ConsumerPosition, toConsumer } from "@/lib/webhooks/consumers/consumer";
import { failUnknown, selectConsumer } from "@/lib/webhooks/consumers/find-consumer";
import { resolvePosition } from "@/lib/webhooks/consumers/resolve-position";

export const SeekConsumer = contract({
  summary: "Move a consumer",
  description:
    "Moves a consumer to another position in the log, forward or back, and ends its lease. A position whose events the log no longer has is 410 with `oldest`. A Trunkline extension.",
  tag: "Webhooks",
  right: "manage_webhooks",
  params: ConsumerParams,
  body: z
    .object({
      after: ConsumerPosition.describe(
        'Where to continue: after the event with this ID, at a time in ISO 8601, `"oldest"` for all events of the log, or `"now"`.',
      ),
    })
    .meta({ examples: [{ after: "48000" }] }),
  returns: Consumer,
  status: 200,
  errors: [
    "parameter_invalid",
    "field_missing",
    "consumer_not_found",
    "events_expired",
    "service_unavailable",
  ],
  extension: true,
});

const MOVE_CONSUMER = plannedStatement(
  "move-consumer",
  `update event_consumers set position = :position::bigint, delivered_through = :position::bigint, lease = null,
    lease_expires_at = null, lost_through = null, active_at = :now, warned_at = null
  where account_id = :accountId and name = :name returning id`,
);

/** Moves a consumer and ends its lease. Errors: as `SeekConsumer`. */
export async function seekConsumer(
  ctx: Context,
  { params: { name }, body: { after } }: Input<typeof SeekConsumer>,
): Promise<Consumer> {
  const row = await transaction(async (tx) => {
    const position = await resolvePosition(tx, ctx, after);
    const [moved] = await tx.run(MOVE_CONSUMER, { accountId: ctx.account.id, name, position, now: ctx.now });
    if (moved === undefined) return failUnknown(name);
    await recordAudit(tx, ctx, "consumer.moved", "consumer", name, { after, position });
    return (await selectConsumer(tx, ctx.account.id, name)) ?? failUnknown(name);
  });
  return toConsumer(row, ctx.now);
}
