import "server-only";
import type { LineRef } from "@/lib/adapters/transports/refs";
import { isSendableHereSql, sessionParameters } from "@/lib/lines/lines/held-sessions";
import { type MessageSnapshot, SNAPSHOT, SNAPSHOT_JOINS } from "@/lib/messaging/messages/message-snapshot";
import { clockParameters, platformNowSql } from "@/lib/platform/clock";
import { byKey, sql } from "@/lib/platform/db";
import type { AfterItem } from "@/lib/platform/queue";

const LEASE_SECONDS = 8;
/** A line sends 32 messages at a time, so a longer scan would mostly visit chats that have to wait. */
const MAX_VISITS = 128;
const FIRST_ID = "00000000-0000-0000-0000-000000000000";
const LAST_ID = "ffffffff-ffff-ffff-ffff-ffffffffffff";

/** A message this process may send until its lease ends. */
export interface ClaimedMessage extends MessageSnapshot {
  attempt: number;
  /** An earlier claim died without a response: ask the transport first whether the message was sent. */
  unanswered: boolean;
  /** The connection whose vendor may have the message since an earlier attempt; null when no vendor can have it. */
  attempted_connection: number | null;
  /** The connection of the line at the claim. */
  connection_number: number;
  transport: string;
  phone_number: string;
  /** False = RCS is off for the line. */
  line_has_rcs: boolean;
  group_ref: string | null;
  recipients: string[];
}

/** The position of a scan over the chats with pending messages. */
interface Place {
  accountId: string;
  lineId: string;
  chatId: string;
}

const IS_HEAD =
  "m.account_id = h.account_id and m.line_id = h.line_id and m.chat_id = h.chat_id and m.id = h.id";
// A message that was never attempted is always due, so that a clock that was set back can't block a chat.
const IS_DUE = `(m.dispatch_attempts = 0 or m.dispatch_at <= ${platformNowSql("$4", "$9")})
  and (m.dispatch_lease_until is null or m.dispatch_lease_until < clock_timestamp())`;

/** SQL: the oldest pending message of the next chat after a position. */
function firstAfter(place: string): string {
  return `select account_id, line_id, chat_id, id from messages
    where dispatch_at is not null and (account_id, line_id, chat_id) > (${place})
    order by account_id, line_id, chat_id, position limit 1`;
}

/** SQL: whether the line of `of` is up and below this process's limit for one line. */
function isLineOpenSql(of: string): string {
  return `cross join lateral (
    select l.is_up and coalesce((select b.in_hand from busy b where b.line_id = l.id), 0) < $7::int
      and ${isSendableHereSql("l", { transports: "$10", accounts: "$11" })} as open, l.connection_number
    from lines l where l.account_id = ${of}.account_id and l.id = ${of}.line_id offset 0) l`;
}

const START: Place = { accountId: FIRST_ID, lineId: FIRST_ID, chatId: FIRST_ID };

/**
 * Claims messages to send, at most `perLine` in progress for each line. The scan resumes at its last position, so every
 * chat gets its turn, however many are waiting.
 */
export interface Claimer {
  claim(limit: number): Promise<ClaimedMessage[]>;
  /**
   * Reports that a claimed message is no longer in progress. Returns whether messages that the last claim left behind can
   * be claimed now: `look` when half of the line's places are free, and `look soon` until then.
   */
  release(message: ClaimedMessage): AfterItem;
  /** Renews the leases of all messages in progress, so that only leases of a dead process expire. */
  renew(): Promise<void>;
}

export function createClaimer(perLine: number): Claimer {
  const held = new Set<ClaimedMessage>();
  let place = START;
  /** The lines that had no free place at the end of the last claim. Their other messages wait for one. */
  let fullLines = new Set<string>();
  let isIncomplete = false;

  async function claim(limit: number): Promise<ClaimedMessage[]> {
    const claimed: ClaimedMessage[] = [];
    let wrapped = place === START;
    isIncomplete = false;
    while (claimed.length < limit) {
      const walk = await claimFrom(place, limit - claimed.length, perLine, held).catch((error: unknown) => {
        // Messages already claimed must be returned: their leases are renewed, so no other claim would find them.
        if (claimed.length === 0) throw error;
        isIncomplete = true;
        return { messages: [], next: START };
      });
      for (const message of walk.messages) held.add(message);
      claimed.push(...walk.messages);
      place = walk.next;
      if (place === START && wrapped) break;
      wrapped ||= place === START;
    }
    const perLineHeld = countByLine(held);
    fullLines = new Set([...perLineHeld].flatMap(([lineId, count]) => (count >= perLine ? [lineId] : [])));
    return claimed;
  }

  function release(message: ClaimedMessage): AfterItem {
    held.delete(message);
    if (isIncomplete) return "look";
    if (!fullLines.has(message.line_id)) return "wait";
    const left = countByLine(held).get(message.line_id) ?? 0;
    return left * 2 <= perLine ? "look" : "look soon";
  }

  return {
    claim,
    release,
    renew: () => renewLeases([...held]),
  };
}

/** The line that sends a claimed message. */
export function lineOf(message: ClaimedMessage): LineRef {
  return {
    accountId: message.account_id,
    id: message.line_id,
    phoneNumber: message.phone_number,
    lineType: message.line_type,
  };
}

/**
 * The scan jumps from chat to chat in the index, so a chat with many messages costs one step, and so does a line that
 * is down or busy. A chat's oldest message stays in the index until it is finished, so no later message overtakes it.
 * Lookups by full keys and laterals with `offset 0` keep the plan on index probes, even if it was made while the tables
 * were empty.
 */
const CLAIM = `with recursive busy as (
    select * from unnest($5::uuid[], $6::int[]) as t(line_id, in_hand)
  ), head as (
    (select n.*, l.open, l.connection_number, 1 as visit from (${firstAfter("$1::uuid, $2::uuid, $3::uuid")}) n ${isLineOpenSql("n")})
    union all
    select n.*, l.open, l.connection_number, h.visit + 1
    from head h cross join lateral (
      ${firstAfter(`h.account_id, h.line_id, case when h.open then h.chat_id else '${LAST_ID}'::uuid end`)}
    ) n ${isLineOpenSql("n")}
    where h.visit < ${MAX_VISITS}
  ), due as (
    select m.*, h.connection_number, row_number() over (partition by m.line_id order by m.dispatch_at, m.position)
      + coalesce((select b.in_hand from busy b where b.line_id = m.line_id), 0) as place
    from head h cross join lateral (
      select m.account_id, m.line_id, m.chat_id, m.id, m.position, m.dispatch_at from messages m where ${IS_HEAD} and ${IS_DUE} offset 0
    ) m
    where h.open
  ), locked as (
    select m.account_id, m.chat_id, m.id, m.dispatch_lease_until is not null as unanswered,
      m.dispatch_connection as attempted_connection, h.connection_number
    from due h join messages m on ${IS_HEAD} and ${IS_DUE}
    where h.place <= $7::int
    order by m.dispatch_at, m.position limit $8 for update of m skip locked
  ), claimed as (
    update messages m set dispatch_attempts = m.dispatch_attempts + 1,
      dispatch_lease_until = clock_timestamp() + interval '${LEASE_SECONDS} seconds',
      dispatch_connection = k.connection_number
    from locked k where ${byKey("m", { account_id: "k.account_id", chat_id: "k.chat_id", id: "k.id" })}
    returning m.*, k.unanswered, k.attempted_connection, k.connection_number
  ), walk as (
    select coalesce(max(visit), 0) as visits from head
  )
  select w.visits, last.account_id as last_account_id, last.line_id as last_line_id, last.chat_id as last_chat_id,
    message.*
  from walk w left join head last on last.visit = w.visits left join (
    select ${SNAPSHOT}, m.dispatch_attempts as attempt, m.unanswered, m.attempted_connection, m.connection_number,
      l.transport, l.phone_number, l.rcs as line_has_rcs,
      c.transport_ref as group_ref, array(
        select p.handle from participants p
        where p.account_id = m.account_id and p.chat_id = m.chat_id and not p.is_me and p.status = 'active'
        order by p.id) as recipients
    from claimed m ${SNAPSHOT_JOINS} cross join lateral (
      select l.transport, l.phone_number, l.rcs from lines l where l.account_id = m.account_id and l.id = m.line_id offset 0
    ) l
  ) message on true`;

type ClaimRow = { visits: number; last_account_id: string; last_line_id: string; last_chat_id: string } & (
  | ClaimedMessage
  | { id: null }
);

async function claimFrom(place: Place, limit: number, perLine: number, held: ReadonlySet<ClaimedMessage>) {
  const inFlight = countByLine(held);
  const [frozenAt, offsetMs] = clockParameters();
  const rows = await sql.query<ClaimRow>({
    name: "claim-messages",
    text: CLAIM,
    values: [
      place.accountId,
      place.lineId,
      place.chatId,
      frozenAt,
      [...inFlight.keys()],
      [...inFlight.values()],
      perLine,
      limit,
      offsetMs,
      ...sessionParameters(),
    ],
  });
  return { messages: rows.filter((row) => row.id !== null), next: nextPlace(rows[0]) };
}

function countByLine(messages: Iterable<ClaimedMessage>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { line_id } of messages) counts.set(line_id, (counts.get(line_id) ?? 0) + 1);
  return counts;
}

function nextPlace(row: ClaimRow | undefined): Place {
  if (row === undefined || row.visits < MAX_VISITS) return START;
  return { accountId: row.last_account_id, lineId: row.last_line_id, chatId: row.last_chat_id };
}

async function renewLeases(held: ClaimedMessage[]): Promise<void> {
  if (held.length === 0) return;
  await sql.query({
    name: "renew-leases",
    text: `update messages m set dispatch_lease_until = clock_timestamp() + interval '${LEASE_SECONDS} seconds'
           from unnest($1::uuid[], $2::uuid[], $3::int[]) as held(account_id, id, attempt)
           where m.account_id = held.account_id and m.id = held.id and m.dispatch_attempts = held.attempt
             and m.dispatch_lease_until is not null`,
    values: [
      held.map(({ account_id }) => account_id),
      held.map(({ id }) => id),
      held.map(({ attempt }) => attempt),
    ],
  });
}
