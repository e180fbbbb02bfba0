import "server-only";
import { isTrace } from "@/lib/events/store/event-blocks";
import type { Context } from "@/lib/platform/context";
import { sql } from "@/lib/platform/database/db";
import type { DeliveryStatus, WebhookDeliveryStatus } from "@/lib/platform/prisma/enums";

const MAX_REQUESTS = 20;
const MAX_EVENTS = 100;
const MAX_ATTEMPTS = 300;

export interface TracedMessage {
  id: string;
  chat_id: string;
  trace_id: string;
  is_from_me: boolean;
  delivery_status: DeliveryStatus;
  service: string | null;
  dispatch_attempts: number;
  dispatch_at: Date | null;
  updated_at: Date;
  sent_at: Date | null;
  failed_at: Date | null;
  failure_code: number | null;
  failure_reason: string | null;
}

/** Rows of a trace, and whether there are more. */
interface Traced<Row> {
  rows: Row[];
  hasMore: boolean;
}

function bounded<Row>(rows: readonly Row[], most: number): Traced<Row> {
  return { rows: rows.slice(0, most), hasMore: rows.length > most };
}

/** The message of an id, or the first message of a trace. null when there is none, or when it was deleted. */
export async function findTracedMessage(ctx: Context, id: string): Promise<TracedMessage | null> {
  const columns = `m.id, m.chat_id, m.trace_id, m.is_from_me, m.delivery_status::text as delivery_status,
    m.service::text as service, m.dispatch_attempts, m.dispatch_at, m.updated_at, m.sent_at, m.failed_at, m.failure_code,
    m.failure_reason`;
  const isMessage = id.includes("-");
  const found = isMessage
    ? "select $2::uuid as id"
    : `(select e.message_id as id from events e where e.account_id = $1 and not e.internal
         and e.message_id is not null and ${isTrace("e.trace_id", "$2")} order by e.seq limit 1)
       union all
       (select unnest(r.message_ids) from api_requests r where r.account_id = $1 and ${isTrace("r.trace_id", "$2")} limit 1)`;
  const [row] = await sql.query<TracedMessage>({
    name: `find-traced-message-${isMessage}`,
    text: `select ${columns} from (${found} limit 1) found join messages m on m.account_id = $1 and m.id = found.id
           where m.deleted_at is null`,
    values: [ctx.account.id, id],
  });
  return row ?? null;
}

interface RequestRow {
  id: string;
  method: string;
  path: string;
  status: number;
  latency_ms: number;
  created_at: Date;
}

/** The API requests of a trace, oldest first. */
export async function listTracedRequests(ctx: Context, traceId: string): Promise<Traced<RequestRow>> {
  const rows = await sql.query<RequestRow>({
    name: "list-traced-requests",
    text: `select r.id, r.method, r.path, r.status, r.latency_ms, r.created_at from api_requests r
           where r.account_id = $1 and ${isTrace("r.trace_id", "$2")} order by r.id limit ${MAX_REQUESTS + 1}`,
    values: [ctx.account.id, traceId],
  });
  return bounded(rows, MAX_REQUESTS);
}

interface EventRow {
  seq: string;
  id: string;
  type: string;
  internal: boolean;
  message_id: string | null;
  created_at: Date;
}

/** The events of a message, internal ones included, and those of its trace; oldest first. */
export async function listTracedEvents(
  ctx: Context,
  traceId: string,
  messageId: string | null,
): Promise<Traced<EventRow>> {
  const rows = await sql.query<EventRow>({
    name: "list-traced-events",
    text: `select seq::text as seq, id, type, internal, message_id, created_at from (
             (select * from events e where e.account_id = $1 and not e.internal and ${isTrace("e.trace_id", "$2")}
               order by e.seq limit ${MAX_EVENTS + 1})
             union
             (select * from events e where e.account_id = $1 and e.message_id = $3::uuid
               order by e.seq limit ${MAX_EVENTS + 1})
           ) e order by e.seq limit ${MAX_EVENTS + 1}`,
    values: [ctx.account.id, traceId, messageId],
  });
  return bounded(rows, MAX_EVENTS);
}

interface WebhookRow {
  at: Date;
  event_type: string;
  subscription_id: string;
  delivery_id: string;
  target_url: string;
  number: number | null;
  status_code: number | null;
  error: string | null;
  latency_ms: number | null;
  delivery_status: WebhookDeliveryStatus;
}

/** Every attempt to deliver these events, and deliveries without an attempt; oldest first. */
export async function listWebhookAttempts(
  ctx: Context,
  events: readonly EventRow[],
): Promise<Traced<WebhookRow>> {
  if (events.length === 0) return { rows: [], hasMore: false };
  const rows = await sql.query<WebhookRow>({
    name: "list-traced-attempts",
    text: `select coalesce(a.started_at, d.created_at) as at, e.type as event_type, d.subscription_id, d.id as delivery_id,
             s.target_url, a.number, a.status_code, a.error, a.latency_ms, d.status::text as delivery_status
           from unnest($2::bigint[], $3::text[]) as e(seq, type)
           join webhook_deliveries d on d.account_id = $1 and d.event_seq = e.seq
           join webhook_subscriptions s on s.account_id = $1 and s.id = d.subscription_id
           left join lateral (
             select * from webhook_attempts a
             where a.account_id = $1 and a.event_seq = e.seq and a.delivery_id = d.id order by a.number offset 0
           ) a on true
           order by 1 limit ${MAX_ATTEMPTS + 1}`,
    values: [ctx.account.id, events.map(({ seq }) => seq), events.map(({ type }) => type)],
  });
  return bounded(rows, MAX_ATTEMPTS);
}
