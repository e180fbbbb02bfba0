import "server-only";
import { eventCtes } from "@/lib/events/store/emit-event";
import { countedExchangesSql, loopHeldUntilSql } from "@/lib/messaging/loops/counted-exchanges-sql";
import { replyThreadSql } from "@/lib/messaging/messages/reply-thread-sql";
import { openTurnsCte } from "@/lib/messaging/turns/turn-statement";
import { byKey } from "@/lib/platform/database/db";
import { arraysSql, namesSql } from "@/lib/platform/database/input-columns";
import { statement } from "@/lib/platform/database/statement";

/** The parameters of each text. */
const COLUMNS = [
  ["account_id", "uuid"],
  ["line_id", "uuid"],
  ["line_type", "text"],
  ["own_handle", "text"],
  ["handle", "text"],
  ["ref", "text"],
  ["id", "uuid"],
  ["event_id", "uuid"],
  ["parts", "jsonb"],
  ["effect", "jsonb"],
  ["service", "text"],
  ["trace_id", "text"],
  ["at", "timestamptz"],
  ["sent_at", "timestamptz"],
  ["reconciled_at", "timestamptz"],
  ["reply_ref", "text"],
  ["reply_part", "int"],
  ["message", "jsonb"],
] as const;

function isoSql(column: string): string {
  return `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

/** SQL: a participant as ChatHandle. */
function chatHandleSql(row: string): string {
  return `jsonb_build_object('id', ${row}.id, 'handle', ${row}.handle, 'joined_at', ${isoSql(`${row}.joined_at`)},
    'service', ${row}.service, 'is_me', ${row}.is_me, 'left_at', ${isoSql(`${row}.left_at`)}, 'status', ${row}.status,
    'line_type', r.line_type)`;
}

/**
 * Stores texts of known people in known chats: the message, the chat's activity and health, message.received and its
 * deliveries, in one round trip. A snoozed or closed chat is open again. A row for which anything is unusual (no chat or contact yet, an opt-out, a block, a
 * change of service, a ref that is known) is not stored and not returned.
 *
 * The contacts are locked first and the chats after them, each in the order of their keys, like everywhere. A lock waits
 * for concurrent changes and then reads the row anew, so an opt-out or a change of service that was committed meanwhile
 * is seen, although participants are read as they were when the statement began. Turns are locked before deliveries are
 * numbered.
 */
export const RECEIVE_TEXTS = statement(
  "receive-texts",
  `with r as (
    select * from unnest(${arraysSql(COLUMNS)}) with ordinality as t(${namesSql(COLUMNS)}, ord)
  ), known as materialized (
    select r.*, ch.id as chat_id
    from (select * from r order by account_id, handle) r cross join lateral (
      select k.handle from contacts k
      where k.account_id = r.account_id and k.handle = r.handle and k.opted_out_at is null and k.blocked_at is null
      for no key update
    ) k cross join lateral (
      select ch.id from chats ch
      where ch.account_id = r.account_id and ch.line_id = r.line_id and ch.participants_key = r.handle offset 0
    ) ch
  ), fitting as materialized (
    select r.*, ch.ends_exchange, ${chatHandleSql("me")} as owner, ${chatHandleSql("them")} as sender, them.id as sender_id,
      case when m.id is not null then jsonb_build_object('message_id', m.id, 'part_index', r.reply_part) end as reply_to
    from (select * from known order by account_id, chat_id) r cross join lateral (
      select cardinality(ch.unanswered) > 0 as ends_exchange from chats ch
      where ch.account_id = r.account_id and ch.id = r.chat_id and ch.left_at is null
        and ch.service = r.service::service_type
      for no key update
    ) ch cross join lateral (
      select p.* from participants p
      where p.account_id = r.account_id and p.chat_id = r.chat_id and p.handle = r.own_handle
        and p.service = r.service::service_type offset 0
    ) me cross join lateral (
      select p.* from participants p
      where p.account_id = r.account_id and p.chat_id = r.chat_id and p.handle = r.handle
        and p.service = r.service::service_type offset 0
    ) them left join lateral (
      select m.id from transport_refs t join messages m on m.account_id = t.account_id and m.id = t.message_id
      where t.account_id = r.account_id and t.line_id = r.line_id and t.ref = r.reply_ref and m.chat_id = r.chat_id
        and m.deleted_at is null offset 0
    ) m on true
  ), refs as (
    insert into transport_refs (account_id, line_id, ref, message_id)
    select account_id, line_id, ref, id from fitting order by account_id, line_id, ref
    on conflict do nothing returning message_id
  ), taken as materialized (
    select p.* from fitting p where p.id in (select message_id from refs)
  ), wrote as (
    insert into line_contacts (account_id, line_id, handle, first_inbound_at, last_inbound_at)
    select account_id, line_id, handle, at, at from taken order by account_id, line_id, handle
    on conflict (account_id, line_id, handle) do update set last_inbound_at = excluded.last_inbound_at
  ), counted as (
    insert into account_days as d (account_id, day, messages)
    select t.account_id, (t.at at time zone 'UTC')::date, count(*)
    from taken t cross join lateral (
      select a.id from accounts a where a.id = t.account_id and a.daily_messages is not null offset 0
    ) a
    group by 1, 2 order by 1, 2
    on conflict (account_id, day) do update set messages = d.messages + excluded.messages
  ), stored as (
    insert into messages (account_id, id, chat_id, line_id, sender_id, is_from_me, parts, service, delivery_status,
      trace_id, created_at, updated_at, sent_at, effect, reply_to, thread_id, reconciled_at, kind)
    select account_id, id, chat_id, line_id, sender_id, false, parts, service::service_type, 'received', trace_id, at, at,
      sent_at, effect, reply_to, ${replyThreadSql("t.account_id", "t.reply_to")}, reconciled_at, 'content'
    from taken t order by ord
  ), moved as (
    update chats c set last_activity_at = greatest(c.last_activity_at, t.at), updated_at = greatest(c.updated_at, t.at),
      exchange_count = ${countedExchangesSql("c", "t.at")}, loop_held_until = ${loopHeldUntilSql("c", "t.at")}, unanswered = '{}', health_due_at = null, is_unread = true, inbox_state = 'open', snoozed_until = null, needs_reply = true,
      health_updated_at = case when c.health_status in ('AT_RISK', 'CRITICAL') then t.at else c.health_updated_at end,
      health_status = case when c.health_status = 'OPTED_OUT' then c.health_status else 'HEALTHY' end
    from taken t where ${byKey("c", { account_id: "t.account_id", id: "t.chat_id" })}
    returning t.id as message_id, c.is_group, c.health_status, c.health_updated_at,
      case when c.loop_held_at is null and t.ends_exchange then c.exchange_count end as exchange_count
  ), written as (
    select t.account_id, t.chat_id, t.line_id, t.id, t.handle, t.parts, m.is_group,
      t.reconciled_at is not null as is_recovered, false as has_file, t.at
    from taken t join moved m on m.message_id = t.id
  ), ${openTurnsCte("turned", "written")}, source as (
    select t.ord, t.account_id, t.event_id, 'message.received' as type, false as internal, t.line_id, t.chat_id,
      t.id as message_id, t.trace_id, jsonb_build_object('message',
        t.message || jsonb_build_object('reply_to', t.reply_to), 'chat', jsonb_build_object('id', t.chat_id,
        'is_group', m.is_group, 'health_status', m.health_status, 'health_updated_at', ${isoSql("m.health_updated_at")}),
        'owner_handle', t.owner, 'sender_handle', t.sender) as data, t.at
    from taken t join moved m on m.message_id = t.id
    where (select count(*) from turned) >= 0
  ), ${eventCtes("source")}
  select t.id, t.chat_id, m.exchange_count, exists (select from turned) as "has_turns!"
  from taken t join moved m on m.message_id = t.id`,
);
