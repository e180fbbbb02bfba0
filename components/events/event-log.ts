import type { EventNotice } from "@/lib/events/event-notice";

const MAX_SHOWN = 1000;

/** The live log as the page holds it. */
export interface EventLog {
  /** What is shown, newest first. */
  events: EventNotice[];
  /** What came while the log was paused, newest first. */
  waiting: EventNotice[];
  paused: boolean;
  /** Where older events go on; null at the beginning of the log. */
  cursor: string | null;
}

export type LogAction =
  | { do: "hear"; event: EventNotice }
  | { do: "pause" }
  | { do: "resume" }
  | { do: "append"; events: EventNotice[]; cursor: string | null };

/** What becomes of the log. An event is in it once, in its place, however often it is heard. */
export function reduceLog(log: EventLog, action: LogAction): EventLog {
  switch (action.do) {
    case "hear":
      return hear(log, action.event);
    case "pause":
      return { ...log, paused: true };
    case "resume":
      return trim({ ...log, paused: false, events: merge(log.waiting, log.events), waiting: [] });
    case "append":
      return { ...log, events: merge(log.events, action.events), cursor: action.cursor };
  }
}

function hear(log: EventLog, event: EventNotice): EventLog {
  const oldest = log.events.at(-1);
  // What lies behind the oldest that is shown comes with the older events when they are asked for.
  if (log.cursor !== null && oldest !== undefined && event.seq < oldest.seq) return log;
  if (has(log.events, event) || has(log.waiting, event)) return log;
  if (log.paused) return { ...log, waiting: insert(log.waiting, event) };
  return trim({ ...log, events: insert(log.events, event) });
}

function has(events: readonly EventNotice[], { seq }: EventNotice): boolean {
  return events.some((event) => event.seq === seq);
}

function insert(events: EventNotice[], event: EventNotice): EventNotice[] {
  const place = events.findIndex(({ seq }) => seq < event.seq);
  return events.toSpliced(place === -1 ? events.length : place, 0, event);
}

function merge(left: readonly EventNotice[], right: readonly EventNotice[]): EventNotice[] {
  const bySeq = new Map([...left, ...right].map((event) => [event.seq, event]));
  return [...bySeq.values()].sort((a, b) => b.seq - a.seq);
}

// A log that is left open for days stays light: what is cut off can be loaded again.
function trim(log: EventLog): EventLog {
  if (log.events.length <= MAX_SHOWN) return log;
  const events = log.events.slice(0, MAX_SHOWN);
  return { ...log, events, cursor: cursorAfter(events.at(-1)) };
}

function cursorAfter(event: EventNotice | undefined): string | null {
  if (event === undefined) return null;
  return btoa(JSON.stringify([String(event.seq), event.created_at])).replaceAll("=", "");
}
