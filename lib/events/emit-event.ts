import "server-only";
import type { EventData, StoredEventType } from "@/lib/events/define-events";
import { EVENT_KINDS, EVENT_TYPES } from "@/lib/events/event-types";
import { WEBHOOK_VERSIONS } from "@/lib/events/webhook-version";
import type { Sql } from "@/lib/platform/db";
import { newId } from "@/lib/platform/ids";

/** The account, line and chat of an event, and its time. */
export interface EventOrigin {
  accountId: string;
  /** Generated when left out; given where several accounts get one event. */
  id?: string;
  /** null is delivered to every subscription of the account, regardless of its `phone_numbers`. */
  lineId: string | null;
  chatId: string | null;
  messageId: string | null;
  traceId: string;
  at: Date;
}

declare const checked: unique symbol;

/** An event to be stored. Only `newEvent` makes one, so its data always fits its type. */
export interface NewEvent extends EventOrigin {
  readonly [checked]: true;
  type: string;
  /** Never listed to partners, never delivered: for the live timeline. */
  internal: boolean;
  /** The moment as it was; every payload version is rendered from it. */
  data: unknown;
}

/** An event of a defined type. Data of another type does not compile. */
export function newEvent<Definition extends StoredEventType>(
  { type, internal }: Definition,
  origin: EventOrigin,
  data: EventData<Definition>,
): NewEvent {
  return { ...origin, type, internal, data } as NewEvent;
}

/** Keeps events from the subscriptions of versions that do not have them. */
export const IN_ITS_VERSION = EVENT_TYPES.filter((type) => EVENT_KINDS[type].since !== WEBHOOK_VERSIONS[0])
  .map((type) => `and (t.type <> '${type}' or s.version >= '${EVENT_KINDS[type].since}')`)
  .join(" ");

/** Stands for the chat of events that belong to none, where their deliveries are numbered. */
const NO_CHAT = "00000000-0000-0000-0000-000000000000";

/**
 * CTEs `ev` and `enqueued`: store the rows of the CTE `source` as events, in its order, and a delivery for each
 * subscription that wants them, `skipped` where the subscription is not active. `source` has ord, account_id, event_id,
 * type, internal, line_id, chat_id, message_id, trace_id, data, at. The first attempt is due at once, even when `at` is
 * in the future. Hot statements embed these CTEs; all other code calls `emitEvents`.
 */
export function eventCtes(source: string): string {
  // `numbered` holds its rows until the commit, and events take their numbers after it: so a delivery's `sequence` has
  // no gap and the order of the log (contract.md 0). Sorted, so that no two statements wait for each other.
  return `wanted as (
    select t.event_id, s.account_id, s.id as subscription_id, s.is_active, coalesce(t.chat_id, '${NO_CHAT}') as chat_id,
      row_number() over (partition by s.id, t.chat_id order by t.ord desc) - 1 as behind_last
    from ${source} t join webhook_subscriptions s
      on s.account_id = t.account_id and s.deleted_at is null and t.type = any(s.subscribed_events)
        ${IN_ITS_VERSION}
    where not t.internal and (
      s.phone_numbers = '{}' or t.line_id is null or exists (
        select 1 from lines l
        where l.account_id = t.account_id and l.id = t.line_id and l.phone_number = any(s.phone_numbers)))
  ), numbered as (
    insert into webhook_sequences as known (account_id, subscription_id, chat_id, last)
    select account_id, subscription_id, chat_id, count(*) from wanted group by 1, 2, 3 order by 1, 2, 3
    on conflict (account_id, subscription_id, chat_id) do update set last = known.last + excluded.last
    returning subscription_id, chat_id, last
  ), placed as (
    select event_id, subscription_id, is_active,
      max(last) over (partition by subscription_id, chat_id) - behind_last as sequence
    from (
      select event_id, subscription_id, chat_id, is_active, behind_last, null as last from wanted
      union all select null, subscription_id, chat_id, null, null, last from numbered) both_sides
  ), ${storedEventsCte(source, "(select count(*) from numbered) >= 0")}, enqueued as (
    insert into webhook_deliveries
      (account_id, id, subscription_id, event_seq, sequence, status, run_at, created_at, ended_at)
    select e.account_id, gen_random_uuid(), p.subscription_id, e.seq, p.sequence,
      (case when p.is_active then 'waiting' else 'skipped' end)::webhook_delivery_status,
      case when p.is_active then least(e.created_at, statement_timestamp()) end, e.created_at, case when not p.is_active then e.created_at end
    from placed p join ev e on e.id = p.event_id
  )`;
}

/** Only the CTE `ev`: for statements whose events are all internal. */
export function storedEventsCte(source: string, condition = "true"): string {
  return `ev as (
    insert into events (account_id, id, type, internal, line_id, chat_id, message_id, trace_id, data, created_at)
    select account_id, event_id, type, internal, line_id, chat_id, message_id, trace_id, data, at
    from ${source} where ${condition} order by ord
    returning account_id, seq, id, created_at
  )`;
}

/** The columns of `source` as arrays, in the order `eventSource` takes them. */
export function eventColumns(events: readonly NewEvent[]): unknown[][] {
  return [
    events.map((event) => event.accountId),
    events.map((event) => event.id ?? newId(event.at.getTime())),
    events.map((event) => event.type),
    events.map((event) => event.internal),
    events.map((event) => event.lineId),
    events.map((event) => event.chatId),
    events.map((event) => event.messageId),
    events.map((event) => event.traceId),
    events.map((event) => JSON.stringify(event.data)),
    events.map((event) => event.at),
  ];
}

/** A CTE `name` over the arrays of `eventColumns`, which start at parameter `$first`. */
export function eventSource(name: string, first: number): string {
  const types = ["uuid", "uuid", "text", "boolean", "uuid", "uuid", "uuid", "text", "jsonb", "timestamptz"];
  const arrays = types.map((type, index) => `$${first + index}::${type}[]`).join(", ");
  return `${name} as (
    select * from unnest(${arrays}) with ordinality
      as t(account_id, event_id, type, internal, line_id, chat_id, message_id, trace_id, data, at, ord))`;
}

const EMIT = `with ${eventSource("source", 1)}, ${eventCtes("source")} select count(*)::int as emitted from ev`;

/** Writes events, and a delivery for every subscription that wants each, in the caller's transaction. */
export async function emitEvents(tx: Sql, events: readonly NewEvent[]): Promise<void> {
  if (events.length === 0) return;
  await tx.query({ name: "emit-events", text: EMIT, values: eventColumns(events) });
  tx.wake("events");
  tx.wake("deliveries");
}
