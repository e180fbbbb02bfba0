import "server-only";
import { toWholeData } from "@/lib/events/store/stored-data";
import type { Sql } from "@/lib/platform/database/db";

/** An event for readers of the live log. */
export interface LoggedEvent {
  accountId: string;
  /** The position in the log, which is the SSE id. */
  seq: number;
  id: string;
  type: string;
  internal: boolean;
  lineId: string | null;
  chatId: string | null;
  messageId: string | null;
  traceId: string;
  data: unknown;
  createdAt: Date;
}

export interface EventRow {
  account_id: string;
  seq: string;
  id: string;
  type: string;
  internal: boolean;
  line_id: string | null;
  chat_id: string | null;
  message_id: string | null;
  trace_id: string;
  data: unknown;
  created_at: Date;
}

export const EVENT_COLUMNS =
  "account_id, seq, id, type, internal, line_id, chat_id, message_id, trace_id, data, created_at";

/** The highest number of a visible event; 0 when there is none. */
export async function lastSeq(on: Sql): Promise<number> {
  const [row] = await on.query<{ seq: string }>({
    name: "last-event",
    text: "select coalesce(max(seq), 0) as seq from events",
  });
  return Number(row?.seq ?? 0);
}

/** Events of all accounts after `seq`, in order, for the tail. */
export async function selectEventsAfter(on: Sql, seq: number, limit: number): Promise<LoggedEvent[]> {
  const rows = await on.query<EventRow>({
    name: "events-after",
    text: `select ${EVENT_COLUMNS} from events where seq > $1 order by seq limit $2`,
    values: [seq, limit],
  });
  return rows.map(toLoggedEvent);
}

/** The lowest and the highest number in the log; null when the log is empty. */
export async function logBounds(on: Sql): Promise<{ first: number; last: number } | null> {
  const [row] = await on.query<{ first: string | null; last: string | null }>({
    name: "log-bounds",
    text: "select (select min(seq) from events) as first, (select max(seq) from events) as last",
  });
  if (row?.first == null || row.last === null) return null;
  return { first: Number(row.first), last: Number(row.last) };
}

export interface EventRange {
  accountId: string;
  /** Exclusive. */
  after: number;
  /** Inclusive. */
  through: number;
  limit: number;
}

/** One account's events of a range, in order: the events that a reconnecting reader missed. */
export async function selectAccountEvents(on: Sql, range: EventRange): Promise<LoggedEvent[]> {
  const rows = await on.query<EventRow>({
    name: "account-events",
    text: `select ${EVENT_COLUMNS} from events where account_id = $1 and seq > $2 and seq <= $3 order by seq limit $4`,
    values: [range.accountId, range.after, range.through, range.limit],
  });
  return rows.map(toLoggedEvent);
}

/** One event of an account by its number; null when there is none. */
export async function selectEvent(on: Sql, accountId: string, seq: number): Promise<LoggedEvent | null> {
  const [row] = await on.query<EventRow>({
    name: "event",
    text: `select ${EVENT_COLUMNS} from events where account_id = $1 and seq = $2`,
    values: [accountId, seq],
  });
  return row === undefined ? null : toLoggedEvent(row);
}

export function toLoggedEvent(row: EventRow): LoggedEvent {
  return {
    accountId: row.account_id,
    seq: Number(row.seq),
    id: row.id,
    type: row.type,
    internal: row.internal,
    lineId: row.line_id,
    chatId: row.chat_id,
    messageId: row.message_id,
    traceId: row.trace_id,
    data: toWholeData(row.data),
    createdAt: row.created_at,
  };
}
