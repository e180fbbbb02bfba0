import "server-only";
import { redactedSql } from "@/lib/events/retention/redact-events";
import { eventCtes, eventParameters, eventSource } from "@/lib/events/store/emit-event";
import { vendorSql } from "@/lib/lines/connections/connection-vendor";
import type { Advance } from "@/lib/messaging/dispatch/advance-message";
import type { MessageSnapshot } from "@/lib/messaging/messages/message-snapshot";
import { vendorRefSql } from "@/lib/messaging/messages/vendor-ref";
import { answerTurnsCte } from "@/lib/messaging/turns/turn-statement";
import { batched } from "@/lib/platform/database/batch";
import { byKey, sql } from "@/lib/platform/database/db";
import { arraysSql, namesSql, toArrays } from "@/lib/platform/database/input-columns";
import { statement } from "@/lib/platform/database/statement";
import { storableRef } from "@/lib/platform/text/storable-text";
import { chatHealthSql, healthDueSql, withSendsSql } from "@/lib/recipients/health/chat-health";

/** A message's new state with its effects, written only if the message has not changed since it was read. */
export interface MessageWrite {
  /** The message as it was read. */
  was: MessageSnapshot;
  /** null: only the dispatch state changes. */
  advance: Advance | null;
  /** The dispatch attempt of this result; null for a receipt, which waits while an attempt is in progress. */
  attempt: number | null;
  /** The time of the next attempt; null when nothing remains to be sent. */
  dispatchAt: Date | null;
  /** The vendor's ids of the message. Stored even when the state is not, because they are valid in any case. */
  refs: readonly string[];
  groupRef: string | null;
  /** The vendor account that the refs are from; null where the line has had one only. */
  vendor?: number | null;
  /** The vendor of the attempt may have the message, which therefore can't be sent over another connection. */
  isUncertain?: boolean;
  /** The vendor proves the state although an attempt is in progress, which goes on. */
  isBeside?: boolean;
  at: Date;
}

const COLUMNS = [
  ["account_id", "uuid"],
  ["chat_id", "uuid"],
  ["id", "uuid"],
  ["was", "text"],
  ["attempt", "int"],
  ["status", "text"],
  ["service", "text"],
  ["sent_at", "timestamptz"],
  ["delivered_at", "timestamptz"],
  ["read_at", "timestamptz"],
  ["failure_code", "int"],
  ["failure_reason", "text"],
  ["dispatch_at", "timestamptz"],
  ["group_ref", "text"],
  ["at", "timestamptz"],
  ["keeps_connection", "boolean"],
  ["is_beside", "boolean"],
] as const;

// A message that the transport has just accepted counts as unanswered.
const IS_SEND =
  "(was in ('pending', 'queued', 'failed') and delivery_status in ('sent', 'delivered', 'read'))";
const SENDS = `(count(*) filter (where ${IS_SEND}) over (partition by account_id, chat_id))`;

// A message that arrived after the send was accepted is still unread and needs a reply. Other chats skip the lookup.
const IS_NEWEST_INBOUND = `((c.is_unread or c.needs_reply) and coalesce((select not m.is_from_me from messages m
        where m.account_id = c.account_id and m.chat_id = c.id and m.deleted_at is null
        order by m.position desc limit 1), false))`;

// A message that is stored while this statement waits for the chat's lock is not in the snapshot of the lookup, but the
// chat's row is another one than in the snapshot.
const IS_CHANGED = `((c.is_unread or c.needs_reply) and c.xmin <> (
        select was.xmin from chats was where ${byKey("was", { account_id: "c.account_id", id: "c.id" })}))`;

/**
 * SQL: the refs of the batch as they are stored. Vendors may use the ids of others, and their own ones again: the newest
 * message has the id, and an id that a message of another vendor account has is stored with the number of its own.
 */
const REFS = `select distinct on (account_id, line_id, key) account_id, line_id, key, message_id
    from unnest(:refAccountIds::uuid[], :refLineIds::uuid[], :refs::text[], :refMessageIds::uuid[], :refVendors::int[])
      with ordinality as r(account_id, line_id, ref, message_id, vendor, ord)
    cross join lateral (
      select case when r.vendor is not null and exists (
        select 1 from transport_refs o join messages om on ${byKey("om", { account_id: "o.account_id", id: "o.message_id" })}
          join lines l on ${byKey("l", { account_id: "r.account_id", id: "r.line_id" })}
        where o.account_id = r.account_id and o.line_id = r.line_id and o.ref = r.ref
          and ${vendorSql("l", "om.dispatch_connection")} <> r.vendor
      ) then ${vendorRefSql("r.vendor", "r.ref")} else r.ref end as key offset 0
    ) k
    order by account_id, line_id, key, ord desc`;

/**
 * Stores the status, refs, chats, events and deliveries of all messages of a batch in one statement. Events of messages
 * that were deleted since they were read contain no content. Chats are always locked before deliveries are numbered, so
 * that all statements lock in the same order. The rare deadlock about one busy chat is resolved by `DatabasePool`.
 */
const STORE = statement(
  "store-advances",
  `with input as (
    select * from unnest(${arraysSql(COLUMNS)})
      with ordinality as t(${namesSql(COLUMNS)}, ord)
  ), stored as (
    update messages m set delivery_status = i.status::delivery_status, service = i.service::service_type,
      sent_at = i.sent_at, delivered_at = i.delivered_at, read_at = i.read_at,
      failed_at = case when i.failure_code is not null then coalesce(m.failed_at, i.at) end,
      failure_code = i.failure_code, failure_reason = i.failure_reason,
      dispatch_at = case when i.is_beside then m.dispatch_at when m.deleted_at is null then i.dispatch_at end,
      dispatch_lease_until = case when i.is_beside then m.dispatch_lease_until end,
      dispatch_connection = case when i.keeps_connection then m.dispatch_connection end, updated_at = i.at
    from input i
    where ${byKey("m", { account_id: "i.account_id", chat_id: "i.chat_id", id: "i.id" })} and m.delivery_status = i.was::delivery_status
      and case when i.is_beside then m.dispatch_lease_until is not null and m.dispatch_at is not null
        when i.attempt is null then m.dispatch_lease_until is null or m.dispatch_at is null
        else m.dispatch_attempts = i.attempt and m.dispatch_lease_until is not null end
    returning i.ord, i.was, m.account_id, m.id, m.line_id, m.chat_id, m.service, i.group_ref, i.at, m.delivery_status, m.deleted_at, m.leaves_unread
  ), refs as (
    insert into transport_refs (account_id, line_id, ref, message_id) ${REFS}
    on conflict (account_id, line_id, ref) do update set message_id = excluded.message_id, is_final = false
    where transport_refs.message_id is distinct from excluded.message_id
  ), active as materialized (
    select c.account_id, c.id, s.service, s.group_ref, s.at, s.service is not null and c.service is distinct from s.service as switched,
      s.leaves_unread is true or ${IS_CHANGED} or ${IS_NEWEST_INBOUND} as waits, c.health_status, ${withSendsSql("c.unanswered", "s.sends", "s.at")} as unanswered
    from chats c join (
      select distinct on (account_id, chat_id) *, ${SENDS} as sends from stored
      where delivery_status = 'sent' or ${IS_SEND}
      order by account_id, chat_id, ord desc
    ) s on ${byKey("c", { account_id: "s.account_id", id: "s.chat_id" })}
    order by c.account_id, c.id for no key update of c
  ), touched as (
    update chats c set last_activity_at = greatest(c.last_activity_at, a.at), updated_at = greatest(c.updated_at, a.at),
      service = coalesce(a.service, c.service), transport_ref = coalesce(c.transport_ref, a.group_ref),
      is_unread = c.is_unread and a.waits, needs_reply = c.needs_reply and a.waits,
      unanswered = a.unanswered, health_due_at = ${healthDueSql("a.unanswered", "a.at")},
      health_status = case when a.health_status = 'OPTED_OUT' then a.health_status else ${chatHealthSql("a.unanswered", "a.at")} end,
      health_updated_at = case when a.health_status in ('OPTED_OUT', ${chatHealthSql("a.unanswered", "a.at")})
        then c.health_updated_at else a.at end
    from active a where ${byKey("c", { account_id: "a.account_id", id: "a.id" })}
  ), switched as (
    update participants p set service = a.service
    from active a where a.switched and ${byKey("p", { account_id: "a.account_id", chat_id: "a.id" })}
  ), answers as (
    select account_id, chat_id, max(at) as at from stored where ${IS_SEND} group by 1, 2
  ), ${answerTurnsCte("answered", "answers", "(select count(*) from active) >= 0")}, ${eventSource("emitted")}, source as (
    select emitted.ord, emitted.account_id, emitted.event_id, emitted.type, emitted.internal, emitted.line_id, emitted.chat_id,
      emitted.message_id, emitted.trace_id, emitted.at,
      case when s.deleted_at is null then emitted.data else ${redactedSql("emitted.data")} end as data
    from emitted join stored s on s.account_id = emitted.account_id and s.id = emitted.message_id
    where (select count(*) from active) >= 0 and (select count(*) from answered) >= 0
  ), ${eventCtes("source")}
  select ord::int as "ord!", exists (
    select 1 from messages w
    where w.account_id = stored.account_id and w.line_id = stored.line_id and w.chat_id = stored.chat_id
      and w.dispatch_at is not null and w.id <> stored.id offset 0
  ) as "chatHasMore!", exists (select from answered) as "closesTurns!" from stored`,
);

/** A write that was stored. */
export interface StoredAdvance {
  /** Whether the chat had other pending messages when the write began. */
  chatHasMore: boolean;
}

/**
 * Writes the message's new state and all its effects, or nothing. Returns null when the message has changed since it
 * was read, or when its dispatch attempt has been superseded. Concurrent writes share statements.
 */
export const storeAdvance = batched<MessageWrite, StoredAdvance | null>({
  runOne: async (write) => (await store([write]))[0] ?? null,
  runMany: store,
  keyOf: ({ was }) => was.account_id + was.id,
});

async function store(writes: MessageWrite[]): Promise<(StoredAdvance | null)[]> {
  const refs = writes.flatMap(({ was, refs, vendor = null }) => refs.map((ref) => ({ was, ref, vendor })));
  const events = writes.flatMap(({ advance }) => advance?.events ?? []);
  const rows = await sql.run(STORE, {
    ...toArrays(writes.map(parametersOf)),
    refAccountIds: refs.map(({ was }) => was.account_id),
    refLineIds: refs.map(({ was }) => was.line_id),
    refs: refs.map(({ ref }) => storableRef(ref)),
    refMessageIds: refs.map(({ was }) => was.id),
    refVendors: refs.map(({ vendor }) => vendor),
    ...eventParameters(events),
  });
  if (events.length > 0) {
    sql.wake("events");
    sql.wake("deliveries");
  }
  if (rows.some(({ closesTurns }) => closesTurns)) sql.wake("turns");
  const stored = new Map(rows.map(({ ord, chatHasMore }) => [ord, { chatHasMore }]));
  return writes.map((_, index) => stored.get(index + 1) ?? null);
}

function parametersOf({
  was,
  advance,
  attempt,
  dispatchAt,
  groupRef,
  at,
  isUncertain = false,
  isBeside = false,
}: MessageWrite) {
  const message = advance?.message ?? was;
  return {
    accountId: was.account_id,
    chatId: was.chat_id,
    id: was.id,
    was: was.delivery_status,
    attempt,
    status: message.delivery_status,
    service: message.service,
    sentAt: message.sent_at,
    deliveredAt: message.delivered_at,
    readAt: message.read_at,
    failureCode: advance?.failure?.code ?? null,
    failureReason: advance?.failure?.reason ?? null,
    dispatchAt,
    groupRef: groupRef === null ? null : storableRef(groupRef),
    at,
    // A message that has ended keeps the connection, whose receipts may still come.
    keepsConnection: isBeside || isUncertain || dispatchAt === null,
    isBeside,
  };
}
