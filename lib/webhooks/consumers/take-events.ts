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
  entriesAfter,
  hasLost,
  isLeaseLive,
  LEASE_IS_LIVE,
  MAX_COUNTED,
} from "@/lib/webhooks/consumers/consumer";
import { failExpired, failUnknown } from "@/lib/webhooks/consumers/find-consumer";

/** A poll that waits writes its row when it has passed this many numbers of the log, most of which are other accounts'. */
const UNWRITTEN = 1000;
/** The times that a poll looks again because an acknowledgment or a seek moved the position at the same time. */
const MAX_TRIES = 5;

// The update sees a lease that a concurrent poll took, because it waits for that poll and compares again.
const TAKE_CONSUMER_EVENTS = statement(
  "take-consumer-events",
  `with consumer as (
    select * from event_consumers where account_id = :accountId and name = :name
  ), scanned as (
    select entry.* from consumer s cross join lateral (${entriesAfter(":through::bigint", MAX_COUNTED)}) entry
  ), page as (
    select seq, event_seq, replay_id from scanned where wanted order by seq limit :limit::int
  ), bounds as (
    select (select min(seq) from page) as first, (select max(seq) from page) as last,
      (select count(*) from scanned) as entries, (select max(seq) from scanned) as scanned_to,
      (select count(*)::int from scanned where wanted) as wanted, (select min(created_at) from scanned where wanted) as oldest_at
  ), taken as (
    update event_consumers u set
      position = case when b.first is not null then b.first - 1
        when b.entries = ${MAX_COUNTED} then b.scanned_to else greatest(u.position, :through::bigint) end,
      delivered_through = coalesce(b.last, u.delivered_through),
      lease = case when b.first is not null then :lease::uuid end,
      lease_expires_at = case when b.first is not null then :now::timestamptz + :leaseSeconds::int * interval '1 second' end,
      lease_seconds = :leaseSeconds::int, polled_at = :now::timestamptz, active_at = :now::timestamptz, warned_at = null
    from consumer s, bounds b
    where u.account_id = :accountId and u.name = :name and u.id = s.id and u.position = s.position
      and not ${LEASE_IS_LIVE} and coalesce(u.lost_through, 0) <= u.position
      and (:isFirst::boolean or b.first is not null or :through::bigint - u.position > ${UNWRITTEN})
    returning u.lease_expires_at
  )
  select s.version, s.position, s.lease_expires_at, s.lost_through, b.first is null as "is_empty!",
    exists (select from taken) as "is_taken!", b.entries = ${MAX_COUNTED} as "has_more!", b.wanted as "lag_events!",
    b.oldest_at as lag_oldest_at, p.seq as "entry?", p.replay_id, e.account_id as "account_id?", e.seq as "seq?", e.id as "id?", e.type as "type?", e.internal as "internal?", e.line_id, e.chat_id,
    e.message_id, e.trace_id as "trace_id?", e.data as "data?", e.created_at as "created_at?"
  from consumer s cross join bounds b
    left join page p on exists (select from taken)
    left join events e on e.account_id = :accountId and e.seq = p.event_seq
  order by p.seq`,
);

// Without a last event, the whole batch is passed.
const LEAVE_OUT_EVENTS = statement(
  "leave-out-consumer-events",
  `update event_consumers set position = case when :last::bigint is null then delivered_through else position end,
    delivered_through = coalesce(:last::bigint, delivered_through),
    lease = case when :last::bigint is not null then lease end,
    lease_expires_at = case when :last::bigint is not null then lease_expires_at end
  where account_id = :accountId and name = :name and lease = :lease::uuid`,
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

interface Take {
  limit: number;
  leaseSeconds: number;
  /** The token of the lease. */
  lease: string;
  /** The first look of a poll is recorded. Later ones write nothing unless they find an event or pass many. */
  isFirst: boolean;
}

/**
 * Takes the consumer's next events under a new lease, in two round trips. Only events are returned before which none can
 * appear any more. Without any, there is no lease, and the position passes what is not for the consumer. Errors:
 * consumer_not_found, consumer_leased, events_expired, service_unavailable while a transaction that stores events does not end.
 */
export async function takeEvents(ctx: Context, name: string, options: Take): Promise<Batch> {
  for (let tries = 1; ; tries++) {
    const through = await lastFinalEvent(sql, drainSignal());
    if (through === null) {
      return fail("service_unavailable", "the end of the event log is being written: poll again");
    }
    const at = now();
    const values = { accountId: ctx.account.id, name, through, now: at, ...options };
    const rows = await sql.run(TAKE_CONSUMER_EVENTS, values);
    const [first] = rows;
    if (first === undefined) return failUnknown(name);
    if (first.is_taken) return toBatch(ctx, name, { rows, first, at, ...options });
    const until = isLeaseLive(first.lease_expires_at, at) ? first.lease_expires_at : null;
    if (hasLost(first)) {
      return failExpired(sql, ctx.account.id, `the log no longer has all events after ${first.position}`);
    }
    if (until === null && first.is_empty && !options.isFirst) return toEmptyBatch(first);
    // Without a live lease, the position was moved, or a lease taken, after the statement began: another look tells.
    if (until !== null || tries === MAX_TRIES) return failLeased(until, at);
  }
}

function failLeased(until: Date | null, at: Date): never {
  const seconds = until === null ? 1 : Math.ceil((until.getTime() - at.getTime()) / 1000);
  throw new ApiError(
    "consumer_leased",
    `another poll has its events: acknowledge them, or retry in ${seconds} seconds`,
    seconds,
  );
}

function toEmptyBatch(first: Row): Batch {
  const lag = { events: first.lag_events, oldest_at: first.lag_oldest_at?.toISOString() ?? null };
  return { events: [], lease: null, lag, hasMore: first.has_more };
}

async function toBatch(
  ctx: Context,
  name: string,
  { rows, first, at, lease, leaseSeconds }: Take & { rows: Row[]; first: Row; at: Date },
): Promise<Batch> {
  if (first.entry === null) return toEmptyBatch(first);
  const events = rows.flatMap((row) => render(ctx, row));
  const last = events.at(-1)?.id ?? null;
  if (last !== rows.at(-1)?.entry) {
    const leftOut = { accountId: ctx.account.id, name, lease, last: last === null ? null : Number(last) };
    await sql.run(LEAVE_OUT_EVENTS, leftOut);
  }
  if (last === null) return { ...toEmptyBatch(first), hasMore: true };
  const expiresAt = new Date(at.getTime() + leaseSeconds * 1000).toISOString();
  return { ...toEmptyBatch(first), events, lease: { token: lease, expires_at: expiresAt }, hasMore: false };
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
