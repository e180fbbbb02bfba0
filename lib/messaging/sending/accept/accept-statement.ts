import "server-only";
import { storedEventsCte } from "@/lib/events/store/emit-event";
import { replyThreadSql } from "@/lib/messaging/messages/reply-thread-sql";
import { byKey } from "@/lib/platform/database/db";
import { arraysSql, namedValuesSql, namesSql } from "@/lib/platform/database/input-columns";
import { statement } from "@/lib/platform/database/statement";
import { isReachableSql } from "@/lib/platform/text/phone-handle";
import { platformNowSql } from "@/lib/platform/time/clock";

/** The parameters of each send. */
const COLUMNS = [
  ["account_id", "uuid"],
  ["is_sandbox", "boolean"],
  ["chat_id", "uuid"],
  ["id", "uuid"],
  ["event_id", "uuid"],
  ["parts", "jsonb"],
  ["effect", "jsonb"],
  ["reply_to", "jsonb"],
  ["replied_to", "uuid"],
  ["preferred_service", "text"],
  ["idempotency_key", "text"],
  ["override_optout", "boolean"],
  ["actor_type", "text"],
  ["actor_id", "uuid"],
  ["window_from", "uuid"],
  ["sent_since", "timestamptz"],
  ["trace_id", "text"],
  ["frozen_at", "timestamptz"],
  ["offset_ms", "bigint"],
] as const;

// PostgreSQL's clock determines the time of acceptance, because the clocks of two processes differ.
const AT = `${platformNowSql("frozen_at", "offset_ms")} as at`;

const ONE_ROW = `select *, ${AT} from (
  select ${namedValuesSql(COLUMNS)}, 1::bigint as ord) t`;

const MANY_ROWS = `select *, ${AT} from unnest(${arraysSql(COLUMNS)})
  with ordinality as t(${namesSql(COLUMNS)}, ord)`;

/**
 * SQL: the person who holds the chat, for sends by API tokens of accounts in which people take over chats. For other
 * sends PostgreSQL skips it. The lock waits for a take-over that has not been committed and then reads the row anew, and
 * a take-over waits for sends with the lock. The foreign key of the message takes the same lock.
 */
const HOLD = `
      select h.held_by, h.held_until from chats h
      where a.take_over_minutes is not null and r.actor_type = 'api'
        and ${byKey("h", { account_id: "r.account_id", id: "r.chat_id" })}
      offset 0 for key share`;

/** The differences between the variants of the accept statement. */
interface Variant {
  rows: string;
  /** The condition under which a send must be accepted again, alone and with its chat locked. */
  needsLock: string;
  /** SQL fragments for rare conditions: the daily count, lookups and writes. */
  today: string;
  look: string;
  count: string;
  write: string;
  fits: string;
}

/**
 * SQL: whether the chat is near its limit. More than half is used, this batch's sends included, or those sends alone
 * exceed an eighth. The rest is room for concurrent sends that the statement can't see.
 */
const nearPairLimit = (place: string) =>
  `(w.sent + ${place}) * 2 > a.pair_messages or ${place} * 8 > a.pair_messages`;

const batch = (rows: string, place: string): Variant => ({
  rows,
  needsLock: `a.daily_messages is not null or k.opted_out_at is not null or ${nearPairLimit(place)}`,
  today: "null::int",
  look: "",
  count: "",
  write: "",
  fits: "true",
});

// The row of the day orders concurrent sends. Only a send that will be inserted is counted: its condition is checked with
// the row locked, after the sends before it were committed.
const counted = (needsLock: string): Variant => ({
  rows: ONE_ROW,
  needsLock,
  today: "today.messages",
  look: `left join lateral (
      select d.messages from account_days d
      where a.daily_messages is not null and d.account_id = r.account_id
        and d.day = (r.at at time zone 'UTC')::date offset 0
    ) today on true`,
  count: `counted as (
    insert into account_days as d (account_id, day, messages)
    select account_id, (at at time zone 'UTC')::date, 1 from c where outcome = 'ok' and daily_messages is not null
    on conflict (account_id, day) do update set messages = d.messages + 1
      where d.messages < (select daily_messages from c)
        and is_send_key_free(excluded.account_id, (select idempotency_key from c))
    returning messages
  ),`,
  write: `overridden as (
    insert into opt_out_overrides (account_id, message_id, handle, chat_id, actor_type, actor_id, at)
    select c.account_id, c.id, c.recipient_handle, c.chat_id, c.actor_type, c.actor_id, c.at
    from c join ins on ins.id = c.id where c.overrides
  ), audited as (
    insert into audit_entries (id, partner_id, account_id, actor_type, actor_id, action, object_type, object_id, detail,
      trace_id, created_at)
    select c.event_id, c.partner_id, c.account_id, c.actor_type, c.actor_id, 'opt_out.overridden', 'message', c.id::text,
      jsonb_build_object('handle', c.recipient_handle, 'chat_id', c.chat_id), c.trace_id, c.at
    from c join ins on ins.id = c.id where c.overrides
  ),`,
  fits: "(daily_messages is null or exists (select from counted))",
});

/** Accepts one send. The benchmark also runs this statement with pgbench. */
export const ACCEPT_ONE = statement("accept-message", acceptText(batch(ONE_ROW, "1")));

/** Accepts many sends. Each column is an array. */
export const ACCEPT_MANY = statement(
  "accept-messages",
  acceptText(batch(MANY_ROWS, "row_number() over (partition by r.account_id, r.chat_id order by r.ord)")),
);

/**
 * Accepts one send that counts toward a daily limit, or that overrides an opt-out; an override is recorded and audited.
 */
export const ACCEPT_COUNTED = statement("accept-counted", acceptText(counted(nearPairLimit("1"))));

/** As ACCEPT_COUNTED, for a transaction that holds the lock on sends to the chat. */
export const ACCEPT_LOCKED = statement("accept-locked", acceptText(counted("false")));

/**
 * Checks idempotency, ownership, state, block, opt-out and limits, and inserts the message, its job (dispatch_at) and
 * its event in one round trip. The lateral lookups with `offset 0` make every plan use an index probe per row, whatever
 * the size of the tables.
 */
function acceptText(variant: Variant): string {
  return `with r as (${variant.rows}), c as materialized (
    select r.*, old.id as old_id, ch.line_id, ch.line_type, ch.is_up, ch.recipient_handle, me.id as sender_id, me.handle,
      me.service, me.status::text as status, me.joined_at, me.left_at, a.partner_id, a.daily_messages, w.oldest, hold.held_by, hold.held_until,
      k.opted_out_at is not null as overrides,
      case
        when a.archived_at is not null then 'account_archived'
        when old.id is not null then 'replay'
        when ch.id is null then 'chat_missing'
        when ch.left_at is not null then 'chat_left'
        when ch.recipient_handle is not null and not ${isReachableSql("ch.recipient_handle")} then 'unreachable'
        when ch.line_status = 'FLAGGED' then 'line_restricted'
        when ch.line_type = 'RCS' and r.preferred_service = 'iMessage' then 'service_unsupported'
        when r.replied_to is not null and not exists (
          select 1 from messages m where m.account_id = r.account_id and m.id = r.replied_to
            and m.chat_id = r.chat_id and m.deleted_at is null offset 0) then 'reply_missing'
        when (r.reply_to->>'part_index')::int > 0 and not exists (
          select 1 from messages m where m.account_id = r.account_id and m.id = r.replied_to
            and jsonb_array_length(m.parts) > (r.reply_to->>'part_index')::int offset 0) then 'reply_part_missing'
        when k.blocked_at is not null then 'blocked'
        when k.opted_out_at is not null and not r.override_optout then 'opted_out'
        when r.is_sandbox and exists (
          select 1 from participants p
          where p.account_id = r.account_id and p.chat_id = r.chat_id and not p.is_me and p.status = 'active'
            and not exists (
              select 1 from line_contacts lc
              where lc.account_id = r.account_id and lc.line_id = ch.line_id and lc.handle = p.handle offset 0)
            offset 0)
          and not (ch.is_group and exists (
            select 1 from messages m
            where m.account_id = r.account_id and m.chat_id = r.chat_id and not m.is_from_me offset 0)) then 'never_wrote'
        when hold.held_until > r.at then 'taken_over'
        when ch.loop_held_until > r.at and a.loop_exchanges is not null and r.actor_type = 'api' then 'loop_held'
        when w.sent >= a.pair_messages then 'pair_limit'
        when ${variant.today} >= a.daily_messages then 'daily_limit'
        when ${variant.needsLock} then 'needs_lock'
        else 'ok'
      end as outcome
    from r
    join lateral (
      select a.partner_id, a.pair_messages, a.daily_messages, a.take_over_minutes, a.loop_exchanges, a.archived_at
      from accounts a where a.id = r.account_id offset 0
    ) a on true
    left join lateral (
      select m.id from messages m where m.account_id = r.account_id and m.idempotency_key = r.idempotency_key offset 0
    ) old on true
    left join lateral (
      select ch.id, ch.line_id, ch.line_type, ch.is_group, ch.left_at, ch.recipient_handle, ch.loop_held_until, l.*
      from chats ch cross join lateral (
        select l.status as line_status, l.is_up, l.phone_number from lines l
        where ${byKey("l", { account_id: "ch.account_id", id: "ch.line_id" })} offset 0
      ) l
      where ${byKey("ch", { account_id: "r.account_id", id: "r.chat_id" })} offset 0
    ) ch on true
    left join lateral (
      select p.* from participants p
      where p.account_id = r.account_id and p.chat_id = r.chat_id and p.handle = ch.phone_number offset 0
    ) me on true
    left join lateral (
      select k.blocked_at, k.opted_out_at from contacts k
      where k.account_id = r.account_id and k.handle = ch.recipient_handle offset 0
    ) k on true
    left join lateral (
      select count(*) as sent, min(newest.created_at) as oldest from (
        select m.created_at from messages m
        where m.account_id = r.account_id and m.chat_id = r.chat_id and m.id >= r.window_from and m.is_from_me
          and m.created_at >= r.sent_since and a.pair_messages is not null
        order by m.id desc limit a.pair_messages) newest
    ) w on true
    left join lateral (${HOLD}) hold on true
    ${variant.look}
  ), ${variant.count} ins as (
    insert into messages (account_id, id, chat_id, line_id, sender_id, is_from_me, parts, effect, reply_to,
      thread_id, preferred_service, idempotency_key, trace_id, delivery_status, created_at, updated_at, dispatch_at)
    select account_id, id, chat_id, line_id, sender_id, true, parts, effect, reply_to,
      ${replyThreadSql("c.account_id", "c.reply_to")}, preferred_service::service_type, idempotency_key, trace_id,
      case when is_up then 'pending' else 'queued' end::delivery_status, at, at, at
    from c where outcome = 'ok' and ${variant.fits}
    order by ord
    on conflict (account_id, idempotency_key) where idempotency_key is not null do nothing
    returning account_id, id, line_id, chat_id, trace_id, created_at
  ), accepted as (
    select c.ord, ins.account_id, c.event_id, 'message.accepted' as type, true as internal, ins.line_id, ins.chat_id,
      ins.id as message_id, ins.trace_id, '{}'::jsonb as data, ins.created_at as at
    from ins join c on c.id = ins.id
  ), ${variant.write} ${storedEventsCte("accepted")}
  select c.outcome as "outcome!: Outcome | 'ok' | 'needs_lock'", c.old_id, ins.id is not null as "inserted!",
    c.at as "at!", c.line_type::text as "line_type!: ServiceType", c.is_up as "is_up!", c.sender_id as "sender_id!",
    c.handle as "handle!", c.service::text as "service!: ServiceType", c.status as "status!: ParticipantStatus",
    c.joined_at as "joined_at!", c.left_at, c.oldest, c.daily_messages,
    case when c.outcome = 'taken_over' then (select u.name from users u where u.id = c.held_by offset 0) end as holder,
    case when c.outcome = 'taken_over' then c.held_until end as held_until
  from c left join ins on ins.id = c.id order by c.ord`;
}
