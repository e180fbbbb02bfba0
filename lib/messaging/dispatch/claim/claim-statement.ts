import "server-only";
import { vendorSql } from "@/lib/lines/connections/connection-vendor";
import { isSendableHereSql, sessionParameters } from "@/lib/lines/connections/held-sessions";
import { type MessageSnapshot, SNAPSHOT, SNAPSHOT_JOINS } from "@/lib/messaging/messages/message-snapshot";
import { byKey, sql } from "@/lib/platform/database/db";
import { type RowOf, statement } from "@/lib/platform/database/statement";
import { clockParameters, platformNowSql } from "@/lib/platform/time/clock";

/** The lease of a claimed message. */
export const LEASE_SECONDS = 8;
/** A line sends 64 messages at a time, so a longer scan would mostly visit chats that have to wait. */
const MAX_VISITS = 128;
/** Messages of a line with a throughput are claimed this long before their turn, so that none is late. */
export const AHEAD_MS = 200;
/** A message takes at most the turns of this many parts. */
const MAX_TURNS = 100;
const FIRST_ID = "00000000-0000-0000-0000-000000000000";
const LAST_ID = "ffffffff-ffff-ffff-ffff-ffffffffffff";

/** A message this process may send until its lease ends. */
export interface ClaimedMessage extends MessageSnapshot {
  attempt: number;
  /** An earlier claim died without a response. */
  unanswered: boolean;
  /** The connection whose vendor may have the message since an earlier attempt; null when no vendor can have it. */
  attempted_connection: number | null;
  /** The connection of the line at the claim. */
  connection_number: number;
  /** The vendor account of this connection; null for a line that has had no other connection. */
  vendor: number | null;
  transport: string;
  phone_number: string;
  /** False = RCS is off for the line. */
  line_has_rcs: boolean;
  /** Milliseconds until its turn, if the line has a throughput; null without one. */
  starts_in_ms: number | null;
  group_ref: string | null;
  recipients: string[];
}

/** The position of a scan over the chats with pending messages. */
export interface ScanPoint {
  accountId: string;
  lineId: string;
  chatId: string;
}

const IS_HEAD =
  "m.account_id = h.account_id and m.line_id = h.line_id and m.chat_id = h.chat_id and m.id = h.id";
const NOW = platformNowSql();
// A message that was never attempted is always due, so that a clock that was set back can't block a chat.
const IS_DUE = `(m.dispatch_attempts = 0 or m.dispatch_at <= ${NOW})
  and (m.dispatch_lease_until is null or m.dispatch_lease_until < clock_timestamp())`;

/**
 * SQL: the milliseconds until a line with a throughput may send its next message; null without one. A time that is too
 * far away was stored before the clock was set back.
 */
const NEXT_TURN_MS = `case when l.sends_per_second is not null then coalesce((
    select greatest(t.ms, 0) from (select extract(epoch from l.next_send_at - ${NOW})::float8 * 1000 as ms) t
    where t.ms <= ${AHEAD_MS} + ${MAX_TURNS} * 1000 / l.sends_per_second), 0) end`;

/** SQL: the oldest pending message of the next chat after a position. */
function firstAfter(point: string): string {
  return `select account_id, line_id, chat_id, id from messages
    where dispatch_at is not null and (account_id, line_id, chat_id) > (${point})
    order by account_id, line_id, chat_id, position limit 1`;
}

/**
 * SQL: whether the line of `of` is up and below this process's limit for one line, and whether the next message has its
 * turn. `next_turn_ms`: the time until then, of a line that waits for nothing else.
 */
function isLineOpenSql(of: string): string {
  return `cross join lateral (
    select l.is_free and coalesce(l.turn_ms, 0) <= ${AHEAD_MS} as open, l.connection_number, l.sends_per_second,
      case when l.is_free then l.turn_ms end as next_turn_ms
    from (
      select l.is_up and coalesce((select b.in_hand from busy b where b.line_id = l.id), 0) < :perLine::int
        and ${isSendableHereSql("l")} as is_free, l.connection_number,
        l.sends_per_second, ${NEXT_TURN_MS} as turn_ms
      from lines l where l.account_id = ${of}.account_id and l.id = ${of}.line_id offset 0) l) l`;
}

/** The point before every chat. */
export const START: ScanPoint = { accountId: FIRST_ID, lineId: FIRST_ID, chatId: FIRST_ID };

/**
 * The scan jumps from chat to chat in the index, so a chat with many messages costs one step, and so does a line that
 * is down or busy. A chat's oldest message stays in the index until it is finished, so no later message overtakes it.
 * Lookups by full keys and laterals with `offset 0` keep the plan on index probes, even if it was made while the tables
 * were empty.
 *
 * A line with a throughput gives each message its turn, part by part, and is locked meanwhile, so that two processes
 * never give the same turn. While another process has the lock, its messages stay in the queue. Lines without a
 * throughput are only read.
 */
const CLAIM = statement(
  "claim-messages",
  `with recursive busy as (
    select * from unnest(:lineIds::uuid[], :inHand::int[]) as t(line_id, in_hand)
  ), head as (
    (select n.*, l.open, l.connection_number, l.sends_per_second, l.next_turn_ms, 1 as visit
      from (${firstAfter(":accountId::uuid, :lineId::uuid, :chatId::uuid")}) n ${isLineOpenSql("n")})
    union all
    select n.*, l.open, l.connection_number, l.sends_per_second, l.next_turn_ms, h.visit + 1
    from head h cross join lateral (
      ${firstAfter(`h.account_id, h.line_id, case when h.open then h.chat_id else '${LAST_ID}'::uuid end`)}
    ) n ${isLineOpenSql("n")}
    where h.visit < ${MAX_VISITS}
  ), due as (
    select m.*, row_number() over (partition by m.line_id order by m.dispatch_at, m.position)
      + coalesce((select b.in_hand from busy b where b.line_id = m.line_id), 0) as place,
      sum(m.turns) over (partition by m.line_id order by m.dispatch_at, m.position) - m.turns as turns_before
    from head h cross join lateral (
      select m.account_id, m.line_id, m.chat_id, m.id, m.position, m.dispatch_at, h.connection_number, h.sends_per_second,
        case when h.sends_per_second is not null
          then least(greatest(jsonb_array_length(m.parts), 1), ${MAX_TURNS}) end as turns
      from messages m where ${IS_HEAD} and ${IS_DUE} offset 0
    ) m
    where h.open
  ), paced as (
    select l.account_id, l.id, ${NEXT_TURN_MS} as turn_ms
    from (select distinct account_id, line_id from due where sends_per_second is not null) d
      join lines l on ${byKey("l", { account_id: "d.account_id", id: "d.line_id" })}
    for no key update of l skip locked
  ), locked as (
    select m.account_id, m.chat_id, m.id, m.line_id, m.dispatch_lease_until is not null as unanswered,
      m.dispatch_connection as attempted_connection, h.connection_number, h.sends_per_second, h.turns, t.starts_in_ms
    from due h left join paced p on p.account_id = h.account_id and p.id = h.line_id
      cross join lateral (select p.turn_ms + h.turns_before * 1000 / h.sends_per_second as starts_in_ms) t
      join messages m on ${IS_HEAD} and ${IS_DUE}
    where h.place <= :perLine::int and (h.sends_per_second is null or t.starts_in_ms <= ${AHEAD_MS})
    order by m.dispatch_at, m.position limit :limit for update of m skip locked
  ), claimed as (
    update messages m set dispatch_attempts = m.dispatch_attempts + 1,
      dispatch_lease_until = clock_timestamp() + interval '${LEASE_SECONDS} seconds',
      dispatch_connection = coalesce(m.dispatch_connection, k.connection_number)
    from locked k where ${byKey("m", { account_id: "k.account_id", chat_id: "k.chat_id", id: "k.id" })}
    returning m.*, k.unanswered, k.attempted_connection, k.connection_number, k.starts_in_ms
  ), taken as (
    update lines l set next_send_at = ${NOW} + k.next_turn_ms * interval '1 millisecond'
    from (
      select account_id, line_id, max(starts_in_ms + turns * 1000 / sends_per_second) as next_turn_ms
      from locked where sends_per_second is not null group by account_id, line_id
    ) k where ${byKey("l", { account_id: "k.account_id", id: "k.line_id" })}
    returning k.next_turn_ms
  ), walk as (
    select coalesce(max(visit), 0) as visits,
      least(min(next_turn_ms) filter (where not open), (select min(t.next_turn_ms) from taken t)) as next_turn_ms
    from head
  )
  select w.visits, w.next_turn_ms, first.line_id as first_line_id, first.open as is_first_open, first.next_turn_ms as first_turn_ms,
    last.account_id as "last_account_id!", last.line_id as "last_line_id!", last.chat_id as "last_chat_id!",
    last.open as "is_last_open!", last.sends_per_second is not null as is_last_paced, message.*
  from walk w left join head first on first.visit = 1 left join head last on last.visit = w.visits left join (
    select ${SNAPSHOT}, m.dispatch_attempts as attempt, m.unanswered, m.attempted_connection, m.connection_number,
      case when l.connections_made > 1 then ${vendorSql("l", "m.connection_number")} end as vendor, m.starts_in_ms, l.transport, l.phone_number, l.rcs as line_has_rcs,
      c.transport_ref as group_ref, array(
        select p.handle from participants p
        where p.account_id = m.account_id and p.chat_id = m.chat_id and not p.is_me and p.status = 'active'
        order by p.id) as recipients
    from claimed m ${SNAPSHOT_JOINS} cross join lateral (
      select l.transport, l.phone_number, l.rcs, l.connections_made, l.connection_vendors from lines l where l.account_id = m.account_id and l.id = m.line_id offset 0
    ) l
  ) message on true`,
);

type ClaimRow = RowOf<"claim-messages">;

/** The first row also describes the scan, and has no message when none was claimed. */
function isMessage(row: ClaimRow): row is ClaimRow & ClaimedMessage {
  return row.id !== null;
}

/** A scan over the chats after a point, up to 128 of them. */
export interface Scan {
  messages: ClaimedMessage[];
  /** Where the next scan goes on; START when there is nothing left. */
  next: ScanPoint;
  /** The line of the first chat, whether it can send, and the time until its turn, if it waits only for that. */
  first: { lineId: string; isOpen: boolean; turnMs: number | null } | null;
  /** The line among whose chats the scan ended, and whether it has a throughput; null when it could not send. */
  endsIn: { lineId: string; isPaced: boolean } | null;
  /** Milliseconds until a line with a throughput has its next turn; infinite when none waits for one. */
  nextTurnMs: number;
}

/** The result of a scan that failed: nothing was claimed. */
export const FAILED_SCAN: Scan = {
  messages: [],
  next: START,
  first: null,
  endsIn: null,
  nextTurnMs: Number.POSITIVE_INFINITY,
};

/** Claims up to `limit` due messages of the chats after a point. `inHand`: messages of each line that are in progress. */
export async function claimFrom(
  point: ScanPoint,
  limit: number,
  { perLine, inHand }: { perLine: number; inHand: ReadonlyMap<string, number> },
): Promise<Scan> {
  const rows = await sql.run(CLAIM, {
    ...point,
    perLine,
    limit,
    lineIds: [...inHand.keys()],
    inHand: [...inHand.values()],
    ...clockParameters(),
    ...sessionParameters(),
  });
  const [row] = rows;
  if (row === undefined) return FAILED_SCAN;
  const { first_line_id: lineId, is_first_open, first_turn_ms: turnMs } = row;
  return {
    messages: rows.filter(isMessage),
    next: nextPoint(row),
    first: lineId === null ? null : { lineId, isOpen: is_first_open === true, turnMs },
    endsIn:
      row.visits === MAX_VISITS && row.is_last_open
        ? { lineId: row.last_line_id, isPaced: row.is_last_paced }
        : null,
    nextTurnMs: row.next_turn_ms ?? Number.POSITIVE_INFINITY,
  };
}

function nextPoint(row: ClaimRow): ScanPoint {
  if (row.visits < MAX_VISITS) return START;
  return { accountId: row.last_account_id, lineId: row.last_line_id, chatId: row.last_chat_id };
}
