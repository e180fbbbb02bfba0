import "server-only";
import { type LoggedEvent, lastSeq, selectEventsAfter } from "@/lib/events/store/logged-event";
import { currentEventWriters, unfinishedWriters, untilWritersEnd } from "@/lib/events/tail/event-writers";
import type { Sql } from "@/lib/platform/database/db";

const MAX_READ = 500;

/** A missing number, and the transactions that may still commit it. */
interface Gap {
  /** The highest number seen after the gap: missing numbers up to here belong to `writers` or were rolled back. */
  through: number;
  writers: string[];
}

export interface FinalEventReader {
  /** All events up to this number are final: none will appear later. */
  readonly cursor: number;
  /** The next events in order. `more` = reading again immediately is worthwhile. `blocked` = a number is missing. */
  read(): Promise<{ events: LoggedEvent[]; more: boolean; blocked: boolean }>;
}

/**
 * Reads the event log without missing an event. Numbers are assigned before transactions commit, so a lower number
 * can appear after a higher one. Reading stops before a missing number until every transaction that was writing at
 * that time has ended. Then the event exists, or its transaction was rolled back. Starts after all events that are
 * visible now.
 */
export async function startFinalEventReader(on: Sql): Promise<FinalEventReader> {
  let cursor = await lastSeq(on);
  let absentThrough = 0;
  let gap: Gap | null = null;
  await untilWritersEnd(on);

  return {
    get cursor() {
      return cursor;
    },
    async read() {
      if (gap !== null) {
        if (await hasUnfinished(on, gap)) return { events: [], more: false, blocked: true };
        // Only a read that starts after this sees everything that they committed.
        absentThrough = gap.through;
        gap = null;
      }
      const seen = await selectEventsAfter(on, cursor, MAX_READ);
      const events = seen.slice(0, countFinal(seen, cursor, absentThrough));
      cursor = events.at(-1)?.seq ?? cursor;
      const last = seen.at(-1);
      if (last !== undefined && events.length < seen.length) {
        gap = { through: last.seq, writers: await currentEventWriters(on) };
      }
      return { events, more: seen.length === MAX_READ, blocked: gap !== null };
    },
  };
}

/**
 * Returns the number of events after `cursor` that have no missing number before them, except numbers that are known
 * to stay unused.
 */
export function countFinal(
  seen: readonly Pick<LoggedEvent, "seq">[],
  cursor: number,
  absentThrough: number,
): number {
  let last = cursor;
  for (const [index, { seq }] of seen.entries()) {
    if (seq > last + 1 && seq - 1 > absentThrough) return index;
    last = seq;
  }
  return seen.length;
}

async function hasUnfinished(on: Sql, gap: Gap): Promise<boolean> {
  return (await unfinishedWriters(on, gap.writers)).length > 0;
}
