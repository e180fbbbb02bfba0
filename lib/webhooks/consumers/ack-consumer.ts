import "server-only";
import { z } from "zod";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { fail } from "@/lib/platform/errors/errors";
import { now } from "@/lib/platform/time/clock";
import { ConsumerEventId, ConsumerParams, LEASE_IS_LIVE } from "@/lib/webhooks/consumers/consumer";
import { failUnknown } from "@/lib/webhooks/consumers/find-consumer";
import { ConsumerLease } from "@/lib/webhooks/consumers/poll-consumer";

export const AckConsumer = contract({
  summary: "Acknowledge events of a consumer",
  description:
    "Acknowledges the events of a poll up to and including `up_to`. Acknowledging all of them ends the lease; acknowledging some extends it. An ID at or below the position changes nothing, so an acknowledgment can be repeated. An expired lease, or one of another poll, is 409: the events will be returned again. A Trunkline extension.",
  tag: "Webhooks",
  right: "manage_webhooks",
  params: ConsumerParams,
  body: z
    .object({
      up_to: ConsumerEventId.describe("ID of the last event that you have processed."),
      lease: z.uuid().describe("Token of the poll's lease."),
    })
    .meta({ examples: [{ up_to: "48211", lease: "019ca9c2-9c41-7a10-8a33-1f2e3d4c5b6a" }] }),
  returns: z.object({
    position: z
      .string()
      .describe("The events up to this ID are acknowledged.")
      .meta({ examples: ["48211"] }),
    lease: ConsumerLease.nullable().describe("The lease of the events that are left; `null` without any."),
  }),
  status: 200,
  errors: ["parameter_invalid", "field_missing", "consumer_not_found", "state_conflict"],
  extension: true,
});

const ACK_CONSUMER_EVENTS = statement(
  "ack-consumer-events",
  `with acked as (
    update event_consumers u set position = :upTo::bigint, active_at = :now::timestamptz,
      lease = case when :upTo::bigint < u.delivered_through then u.lease end,
      lease_expires_at = case when :upTo::bigint < u.delivered_through
        then :now::timestamptz + u.lease_seconds * interval '1 second' end
    where u.account_id = :accountId and u.name = :name and u.lease = :lease::uuid and ${LEASE_IS_LIVE}
      and :upTo::bigint > u.position and :upTo::bigint <= u.delivered_through
    returning u.position, u.lease, u.lease_expires_at
  )
  select s.position, s.delivered_through, s.lease = :lease::uuid and s.lease_expires_at > :now::timestamptz as is_own,
    exists (select from acked) as "is_acked!", (select lease from acked) as new_lease,
    s.lease_expires_at, (select lease_expires_at from acked) as new_expires_at
  from event_consumers s where s.account_id = :accountId and s.name = :name`,
);

/**
 * Moves a consumer's position past the events that its lease delivered, in one round trip. Errors: consumer_not_found,
 * parameter_invalid beyond the delivered events, state_conflict for an expired or another lease.
 */
export async function ackConsumer(
  ctx: Context,
  { params: { name }, body: { up_to, lease } }: Input<typeof AckConsumer>,
): Promise<z.input<typeof AckConsumer.returns>> {
  const [row] = await sql.run(ACK_CONSUMER_EVENTS, {
    accountId: ctx.account.id,
    name,
    upTo: Number(up_to),
    lease,
    now: now(),
  });
  if (row === undefined) return failUnknown(name);
  if (row.is_acked)
    return { position: String(Number(up_to)), lease: toLease(row.new_lease, row.new_expires_at) };
  if (Number(up_to) <= Number(row.position)) {
    return {
      position: row.position,
      lease: row.is_own === true ? toLease(lease, row.lease_expires_at) : null,
    };
  }
  if (row.is_own === true && Number(up_to) > Number(row.delivered_through)) {
    return fail("parameter_invalid", `up_to: the last event that was delivered is ${row.delivered_through}`);
  }
  return fail("state_conflict", "the lease has expired or belongs to another poll: poll again");
}

function toLease(token: string | null, expiresAt: Date | null): z.input<typeof ConsumerLease> | null {
  return token === null || expiresAt === null ? null : { token, expires_at: expiresAt.toISOString() };
}
