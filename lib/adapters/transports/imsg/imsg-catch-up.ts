import "server-only";
import { z } from "zod";
import { AdapterError } from "@/lib/adapters/adapter-error";
import { hasChat, toDate } from "@/lib/adapters/transports/imsg/imsg-messages";
import type { ImsgMessage } from "@/lib/adapters/transports/imsg/imsg-payloads";
import type { ImsgRows } from "@/lib/adapters/transports/imsg/imsg-rows";
import type { InEvent } from "@/lib/adapters/transports/inbound";
import type { PolledPage } from "@/lib/adapters/transports/transport";

const PAGE = 200;
/** Messages joins a row to its chat within moments. Until then, the rows from there on wait. */
const JOIN_PAUSE_SECONDS = 2;
const MAX_JOIN_WAITS = 15;

/** A row without a chat could be of a group, so it is no direct message. */
const REFUSED: InEvent = { type: "refused", reason: "Messages reported a message that belongs to no chat." };

const Page = z.object({
  messages: z.array(z.unknown()),
  next_rowid: z.int(),
  has_more: z.boolean(),
});

/** The position of earlier polls: the row up to which they read, and the date of the newest one. */
interface Seen {
  row: number;
  newest: Date;
}

/** Finds the rows that the watch did not report, or that could not be stored. */
export interface CatchUp {
  /** Notes where the database stands at the start of a process. Returns the row after which its watch begins. */
  begin(): Promise<number | null>;
  /** Reads a page of rows after a cursor of an earlier page; null = from the first start of the session. */
  read(cursor: string | null): Promise<PolledPage>;
}

export function createCatchUp(
  rows: ImsgRows,
  read: (method: string, params: Record<string, unknown>) => Promise<unknown>,
): CatchUp {
  let first: Seen | null = null;
  /** The newest row for which the position of the cursor was checked. */
  let checked: string | null = null;
  const waits = new Map<number, number>();
  /** The newest row of the pages that were read since all were read. Their ages are compared with what was known before. */
  let lapNewest = new Date(0);

  async function readRows(since: number) {
    const options = { limit: PAGE, attachments: true, include_reactions: true };
    const page = Page.parse(await read("messages.after", { since_rowid: since, ...options }));
    return { ...page, raw: page.messages, messages: rows.parse(page.messages) };
  }

  /**
   * Whether the rows of the database end before the cursor although there is a new one: another file has taken its
   * place, and the numbers of its rows mean something else.
   */
  async function isReplaced(since: number): Promise<boolean> {
    const newest = await rows.findNewest();
    if (newest === null || newest.id >= since || newest.guid === checked) return false;
    checked = newest.guid;
    waits.clear();
    rows.forgetOrder();
    return true;
  }

  /** Waits for a row that has no chat yet. Returns false once it has been waited for long enough. */
  function isAwaited(message: ImsgMessage): boolean {
    if (message.is_from_me || hasChat(message)) return false;
    const waited = (waits.get(message.id) ?? 0) + 1;
    if (waited > MAX_JOIN_WAITS) return false;
    waits.set(message.id, waited);
    return true;
  }

  /** The rows before one from which on all are read again. They are in the order of the database. */
  function rowsBefore(unjoined: ImsgMessage | undefined, raw: readonly unknown[]): readonly unknown[] {
    if (unjoined === undefined) return raw;
    return raw.slice(
      0,
      raw.findIndex((row) => rows.parse([row])[0]?.id === unjoined.id),
    );
  }

  return {
    async begin() {
      const newest = await rows.findNewest();
      first ??= { row: newest?.id ?? 0, newest: new Date() };
      return newest?.id ?? null;
    },
    async read(cursor) {
      const seen = parseCursor(cursor) ?? first;
      if (seen === null) throw new AdapterError("line_down", "imsg is not running");
      const page = await readRows(seen.row);
      if (page.raw.length === 0 && seen.row > 0 && (await isReplaced(seen.row))) {
        return { events: [], cursor: toCursor({ ...seen, row: 0 }), more: true };
      }
      const unjoined = page.messages.find(isAwaited);
      const before = page.messages.filter(({ id }) => unjoined === undefined || id < unjoined.id);
      const messages = before.filter(hasChat);
      const homeless = before.filter((row) => !row.is_from_me && !hasChat(row));
      const events = [
        ...rows.unreadable(rowsBefore(unjoined, page.raw)),
        ...homeless.map(() => REFUSED),
        ...(await rows.readPage(messages, seen.newest)),
      ];
      lapNewest = newestOf(lapNewest, messages);
      if (unjoined !== undefined) {
        const cursor = toCursor({ ...seen, row: Math.max(seen.row, unjoined.id - 1) });
        return { events, cursor, more: false, pauseSeconds: JOIN_PAUSE_SECONDS };
      }
      if (page.has_more) return { events, cursor: toCursor({ ...seen, row: page.next_rowid }), more: true };
      const newest = new Date(Math.max(seen.newest.getTime(), lapNewest.getTime()));
      lapNewest = new Date(0);
      return { events, cursor: toCursor({ row: page.next_rowid, newest }), more: false };
    },
  };
}

/** The date of the newest row. A date in the future is an error of someone's clock. */
function newestOf(known: Date, messages: readonly ImsgMessage[]): Date {
  const times = messages.map(({ created_at }) => Math.min(toDate(created_at).getTime(), Date.now()));
  return new Date(Math.max(known.getTime(), ...times));
}

function toCursor({ row, newest }: Seen): string {
  return `${row} ${newest.toISOString()}`;
}

/** A cursor of an older version is the row alone. */
function parseCursor(cursor: string | null): Seen | null {
  const [, row, newest] = /^(\d+)(?: (\S+))?$/.exec(cursor ?? "") ?? [];
  if (row === undefined) return null;
  return { row: Number(row), newest: new Date(newest ?? 0) };
}
