import "server-only";
import { toWholeData } from "@/lib/events/store/stored-data";
import type { Sql } from "@/lib/platform/database/db";
import { type RowOf, statement } from "@/lib/platform/database/statement";

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

export type EventRow = RowOf<"events-after">;

export const EVENT_COLUMNS =
  "account_id, seq, id, type, internal, line_id, chat_id, message_id, trace_id, data, created_at";

const LAST_EVENT = statement("last-event", "select coalesce(max(seq), 0) as seq from events");

/** The highest number of a visible event; 0 when there is none. */
export async function lastSeq(on: Sql): Promise<number> {
  const [row] = await on.run(LAST_EVENT);
  return Number(row?.seq ?? 0);
}

const EVENTS_AFTER = statement(
  "events-after",
  `select ${EVENT_COLUMNS} from events where seq > :seq order by seq limit :limit`,
);

/** Events of all accounts after `seq`, in order, for the tail. */
export async function selectEventsAfter(on: Sql, seq: number, limit: number): Promise<LoggedEvent[]> {
  const rows = await on.run(EVENTS_AFTER, { seq, limit });
  return rows.map(toLoggedEvent);
}

const EVENT_LOG_BOUNDS = statement(
  "event-log-bounds",
  "select (select min(seq) from events) as first, (select max(seq) from events) as last",
);

/** The lowest and the highest number in the log; null when the log is empty. */
export async function logBounds(on: Sql): Promise<{ first: number; last: number } | null> {
  const [row] = await on.run(EVENT_LOG_BOUNDS);
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

const ACCOUNT_EVENTS = statement(
  "account-events",
  `select ${EVENT_COLUMNS} from events where account_id = :accountId and seq > :after and seq <= :through order by seq limit :limit`,
);

/** One account's events of a range, in order: the events that a reconnecting reader missed. */
export async function selectAccountEvents(on: Sql, range: EventRange): Promise<LoggedEvent[]> {
  const rows = await on.run(ACCOUNT_EVENTS, {
    accountId: range.accountId,
    after: range.after,
    through: range.through,
    limit: range.limit,
  });
  return rows.map(toLoggedEvent);
}

const EVENT_BY_SEQ = statement(
  "event-by-seq",
  `select ${EVENT_COLUMNS} from events where account_id = :accountId and seq = :seq`,
);

/** One event of an account by its number; null when there is none. */
export async function selectEvent(on: Sql, accountId: string, seq: number): Promise<LoggedEvent | null> {
  const [row] = await on.run(EVENT_BY_SEQ, { accountId, seq });
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
