import "server-only";
import { deliveryState, isStopped } from "@/lib/events/store/delivery-state";
import { isTrace } from "@/lib/events/store/event-blocks";
import type { Context } from "@/lib/platform/context";
import { sql } from "@/lib/platform/database/db";
import { type RowOf, statement } from "@/lib/platform/database/statement";

const MAX_REQUESTS = 20;
const MAX_EVENTS = 100;
const MAX_ATTEMPTS = 300;

export type TracedMessage = RowOf<"find-traced-message-by-id">;

/** Rows of a trace, and whether there are more. */
interface Traced<Row> {
  rows: Row[];
  hasMore: boolean;
}

function bounded<Row>(rows: readonly Row[], most: number): Traced<Row> {
  return { rows: rows.slice(0, most), hasMore: rows.length > most };
}

const MESSAGE_COLUMNS = `m.id, m.chat_id, m.trace_id, m.is_from_me, m.delivery_status, m.service,
    m.dispatch_attempts, m.dispatch_at, m.updated_at, m.sent_at, m.failed_at, m.failure_code, m.failure_reason`;

const messageOf = (found: string) =>
  `select ${MESSAGE_COLUMNS} from (${found} limit 1) found
  join messages m on m.account_id = :accountId and m.id = found.id
  where m.deleted_at is null`;

const FIND_TRACED_MESSAGE = {
  byId: statement("find-traced-message-by-id", messageOf("select :id::uuid as id")),
  ofTrace: statement(
    "find-traced-message-of-trace",
    messageOf(`(select e.message_id as id from events e where e.account_id = :accountId and not e.internal
      and e.message_id is not null and ${isTrace("e.trace_id", ":id")} order by e.seq limit 1)
    union all
    (select unnest(r.message_ids) from api_requests r
      where r.account_id = :accountId and ${isTrace("r.trace_id", ":id")} limit 1)`),
  ),
};

/** The message of an id, or the first message of a trace. null when there is none, or when it was deleted. */
export async function findTracedMessage(ctx: Context, id: string): Promise<TracedMessage | null> {
  const found = id.includes("-") ? FIND_TRACED_MESSAGE.byId : FIND_TRACED_MESSAGE.ofTrace;
  const [row] = await sql.run(found, { accountId: ctx.account.id, id });
  return row ?? null;
}

type RequestRow = RowOf<"list-traced-requests">;

const LIST_TRACED_REQUESTS = statement(
  "list-traced-requests",
  `select r.id, r.method, r.path, r.status, r.latency_ms, r.created_at from api_requests r
  where r.account_id = :accountId and ${isTrace("r.trace_id", ":traceId")} order by r.id limit ${MAX_REQUESTS + 1}`,
);

/** The API requests of a trace, oldest first. */
export async function listTracedRequests(ctx: Context, traceId: string): Promise<Traced<RequestRow>> {
  const rows = await sql.run(LIST_TRACED_REQUESTS, { accountId: ctx.account.id, traceId });
  return bounded(rows, MAX_REQUESTS);
}

type EventRow = RowOf<"list-traced-events">;

const LIST_TRACED_EVENTS = statement(
  "list-traced-events",
  `select seq::text as seq, id, type, internal, message_id, created_at from (
    (select * from events e where e.account_id = :accountId and not e.internal and ${isTrace("e.trace_id", ":traceId")}
      order by e.seq limit ${MAX_EVENTS + 1})
    union
    (select * from events e where e.account_id = :accountId and e.message_id = :messageId::uuid
      order by e.seq limit ${MAX_EVENTS + 1})
  ) e order by e.seq limit ${MAX_EVENTS + 1}`,
);

/** The events of a message, internal ones included, and those of its trace; oldest first. */
export async function listTracedEvents(
  ctx: Context,
  traceId: string,
  messageId: string | null,
): Promise<Traced<EventRow>> {
  const rows = await sql.run(LIST_TRACED_EVENTS, { accountId: ctx.account.id, traceId, messageId });
  return bounded(rows, MAX_EVENTS);
}

type WebhookRow = RowOf<"list-traced-attempts">;

const LIST_TRACED_ATTEMPTS = statement(
  "list-traced-attempts",
  `select coalesce(a.started_at, d.created_at) as at, e.type as "event_type!", d.subscription_id, d.id as delivery_id,
    s.target_url, a.number, a.status_code, a.error, a.latency_ms, ${deliveryState("d")} as "delivery_status!: DeliveryState",
    coalesce(a.number = d.attempts and ${isStopped("d")}, false) as "stopped_chat!"
  from unnest(:seqs::bigint[], :types::text[]) as e(seq, type)
  join webhook_deliveries d on d.account_id = :accountId and d.event_seq = e.seq
  join webhook_subscriptions s on s.account_id = :accountId and s.id = d.subscription_id
  left join lateral (
    select * from webhook_attempts a
    where a.account_id = :accountId and a.event_seq = e.seq and a.delivery_id = d.id order by a.number offset 0
  ) a on true
  order by 1 limit ${MAX_ATTEMPTS + 1}`,
);

/** Every attempt to deliver these events, and deliveries without an attempt; oldest first. */
export async function listWebhookAttempts(
  ctx: Context,
  events: readonly EventRow[],
): Promise<Traced<WebhookRow>> {
  if (events.length === 0) return { rows: [], hasMore: false };
  const rows = await sql.run(LIST_TRACED_ATTEMPTS, {
    accountId: ctx.account.id,
    seqs: events.map(({ seq }) => seq),
    types: events.map(({ type }) => type),
  });
  return bounded(rows, MAX_ATTEMPTS);
}
