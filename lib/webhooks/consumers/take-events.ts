import "server-only";
import { hidePayload } from "@/lib/events/catalog/hide-payload";
import { renderEvent, type WebhookEnvelope } from "@/lib/events/catalog/render-event";
import { WebhookVersion } from "@/lib/events/catalog/webhook-version";
import { toLoggedEvent } from "@/lib/events/store/logged-event";
import { lastFinalEvent } from "@/lib/events/tail/last-final-event";
import type { Context } from "@/lib/platform/context";
import { sql } from "@/lib/platform/database/db";
import { type RowOf, statement } from "@/lib/platform/database/statement";
import { ApiError, fail } from "@/lib/platform/errors/errors";
import { drainSignal } from "@/lib/platform/instances/drain";
import { log } from "@/lib/platform/telemetry/log";
import { now } from "@/lib/platform/time/clock";
import {
  COUNTED,
  entriesAfter,
  hasLost,
  isLeaseLive,
  LEASE_IS_LIVE,
} from "@/lib/webhooks/consumers/consumer";
import { failExpired, failUnknown } from "@/lib/webhooks/consumers/find-consumer";

// The update sees a lease that a concurrent poll took, because it waits for that poll and compares again.
const TAKE_CONSUMER_EVENTS = statement(
  "take-consumer-events",
  `with consumer as (
    select * from event_consumers where account_id = :accountId and name = :name
  ), scanned as (
    select entry.* from consumer s cross join lateral (${entriesAfter(":through::bigint")}) entry
  ), page as (
    select seq, event_seq, replay_id from scanned where wanted order by seq limit :limit::int
  ), bounds as (
    select (select min(seq) from page) as first, (select max(seq) from page) as last,
      (select count(*) from scanned) as entries, (select max(seq) from scanned) as scanned_to,
      (select count(*)::int from scanned where wanted) as wanted, (select min(created_at) from scanned where wanted) as oldest_at
  ), taken as (
    update event_consumers u set
      position = case when b.first is not null then b.first - 1
        when b.entries = ${COUNTED} then b.scanned_to else greatest(u.position, :through::bigint) end,
      delivered_through = coalesce(b.last, u.delivered_through),
      lease = case when b.first is not null then :lease::uuid end,
      lease_expires_at = case when b.first is not null then :now::timestamptz + :leaseSeconds::int * interval '1 second' end,
      lease_seconds = :leaseSeconds::int, polled_at = :now::timestamptz, active_at = :now::timestamptz, warned_at = null
    from consumer s, bounds b
    where u.account_id = :accountId and u.name = :name and u.id = s.id and u.position = s.position
      and not ${LEASE_IS_LIVE} and coalesce(u.lost_through, 0) <= u.position
    returning u.lease_expires_at
  )
  select s.version, s.position, s.lease_expires_at, s.lost_through,
    exists (select from taken) as "is_taken!", b.entries = ${COUNTED} as "has_more!", b.wanted as "lag_events!",
    b.oldest_at as lag_oldest_at, p.seq as "entry?", p.replay_id, e.account_id as "account_id?", e.seq as "seq?", e.id as "id?", e.type as "type?", e.internal as "internal?", e.line_id, e.chat_id,
    e.message_id, e.trace_id as "trace_id?", e.data as "data?", e.created_at as "created_at?"
  from consumer s cross join bounds b
    left join page p on exists (select from taken)
    left join events e on e.account_id = :accountId and e.seq = p.event_seq
  order by p.seq`,
);

type Row = RowOf<"take-consumer-events">;

/** An event of a batch: its number in the log, and the payload that a webhook has. */
export interface ConsumedEvent {
  id: string;
  envelope: WebhookEnvelope;
  /** The replay that repeats the event. */
  replay?: string;
}

export interface Batch {
  events: ConsumedEvent[];
  lease: { token: string; expires_at: string } | null;
  lag: { events: number; oldest_at: string | null };
  /** The batch is empty, and looking again at once may find events. */
  hasMore: boolean;
}

/**
 * Takes the consumer's next events under a new lease, in two round trips. Only events are returned before which none can
 * appear any more. Without any, there is no lease, and the position passes what is not for the consumer. Errors:
 * consumer_not_found, consumer_leased, events_expired, service_unavailable while a transaction that stores events does not end.
 */
export async function takeEvents(
  ctx: Context,
  name: string,
  { limit, leaseSeconds, lease }: { limit: number; leaseSeconds: number; lease: string },
): Promise<Batch> {
  const through = await lastFinalEvent(sql, drainSignal());
  if (through === null) {
    return fail("service_unavailable", "the end of the event log is being written: poll again");
  }
  const at = now();
  const rows = await sql.run(TAKE_CONSUMER_EVENTS, {
    accountId: ctx.account.id,
    name,
    through,
    limit,
    lease,
    leaseSeconds,
    now: at,
  });
  const [first] = rows;
  if (first === undefined) return failUnknown(name);
  if (!first.is_taken) return explain(ctx, first, at);
  const isEmpty = first.entry === null;
  const expiresAt = new Date(at.getTime() + leaseSeconds * 1000).toISOString();
  return {
    events: rows.flatMap((row) => render(ctx, row)),
    lease: isEmpty ? null : { token: lease, expires_at: expiresAt },
    lag: { events: first.lag_events, oldest_at: first.lag_oldest_at?.toISOString() ?? null },
    hasMore: isEmpty && first.has_more,
  };
}

/** Fails with the reason why no events were taken. Errors: consumer_leased, events_expired. */
function explain(ctx: Context, row: Row, at: Date): Promise<never> {
  if (hasLost(row)) {
    return failExpired(sql, ctx.account.id, `the log no longer has all events after ${row.position}`);
  }
  // Without a live lease here, another poll has just taken the events.
  const until = isLeaseLive(row.lease_expires_at, at) ? row.lease_expires_at : null;
  const seconds = until === null ? 1 : Math.ceil((until.getTime() - at.getTime()) / 1000);
  throw new ApiError(
    "consumer_leased",
    `another poll has its events: acknowledge them, or retry in ${seconds} seconds`,
    seconds,
  );
}

// An event that can't be rendered is omitted, as from the stream. It would hold up all later ones.
function render(ctx: Context, row: Row): ConsumedEvent[] {
  const { entry, replay_id, account_id, seq, id, type, internal, trace_id, data, created_at } = row;
  if (entry === null || account_id === null || seq === null || id === null || type === null) return [];
  if (internal === null || trace_id === null || created_at === null) return [];
  const event = toLoggedEvent({ ...row, account_id, seq, id, type, internal, trace_id, data, created_at });
  try {
    const envelope = renderEvent(event, ctx.account.partnerId, WebhookVersion.parse(row.version));
    return [
      {
        id: entry,
        envelope: hidePayload(ctx, envelope),
        ...(replay_id !== null && { replay: replay_id }),
      },
    ];
  } catch (error) {
    log.error({ err: error, eventId: id }, "an event was omitted from a poll");
    return [];
  }
}
