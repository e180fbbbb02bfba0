import "server-only";
import type { Sql } from "@/lib/platform/db";
import { newId } from "@/lib/platform/ids";

/** Something that happened. Partner-facing types are those of contract.md 4.2; others are `internal`. */
export interface NewEvent {
  accountId: string;
  type: string;
  /** Never listed to partners, never delivered: for the live timeline. */
  internal?: boolean;
  /** null reaches every subscription of the account whatever its `phone_numbers`. */
  lineId: string | null;
  chatId: string | null;
  messageId: string | null;
  traceId: string;
  /** Facts as they were at the moment, from which both payload versions are rendered (events/catalog.ts). */
  data: unknown;
  at: Date;
}

/**
 * CTEs `ev` and `owed`: store the rows of the CTE `source` as events, in its order, and owe each to the subscriptions
 * that want it. `source` has ord, account_id, event_id, type, internal, line_id, chat_id, message_id, trace_id, data, at.
 * Hot statements embed them; everything else calls `emitEvents`.
 */
export function eventCtes(source: string): string {
  return `${storedEventsCte(source)}, owed as (
    insert into webhook_deliveries (account_id, id, subscription_id, event_seq, run_at, created_at)
    select e.account_id, gen_random_uuid(), s.id, e.seq, e.created_at, e.created_at
    from ev e join webhook_subscriptions s
      on s.account_id = e.account_id and s.is_active and e.type = any(s.subscribed_events)
    where not e.internal and (
      s.phone_numbers = '{}' or e.line_id is null or exists (
        select 1 from lines l
        where l.account_id = e.account_id and l.id = e.line_id and l.phone_number = any(s.phone_numbers)))
  )`;
}

/** Only the CTE `ev`: for statements whose events are all internal. */
export function storedEventsCte(source: string): string {
  return `ev as (
    insert into events (account_id, id, type, internal, line_id, chat_id, message_id, trace_id, data, created_at)
    select account_id, event_id, type, internal, line_id, chat_id, message_id, trace_id, data, at
    from ${source} order by ord
    returning account_id, seq, type, internal, line_id, created_at
  )`;
}

/** The columns of `source` as arrays, in the order `eventSource` takes them. */
export function eventColumns(events: readonly NewEvent[]): unknown[][] {
  return [
    events.map((event) => event.accountId),
    events.map((event) => newId(event.at.getTime())),
    events.map((event) => event.type),
    events.map((event) => event.internal ?? false),
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
