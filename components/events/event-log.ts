import type { EventNotice } from "@/lib/events/event-notice";

const MAX_SHOWN = 1000;

/** The state of the live log. */
export interface EventLog {
  /** The events shown, newest first. */
  events: EventNotice[];
  /** The events received while paused, newest first. */
  waiting: EventNotice[];
  paused: boolean;
  /** The cursor of the next older page; null when the whole log is loaded. */
  cursor: string | null;
}

export type LogAction =
  | { type: "hear"; event: EventNotice }
  | { type: "pause" }
  | { type: "resume" }
  | { type: "append"; events: EventNotice[]; cursor: string | null };

/** Applies an action to the log. Each event is in the log once and in order, however often it is received. */
export function reduceLog(log: EventLog, action: LogAction): EventLog {
  switch (action.type) {
    case "hear":
      return appendEvent(log, action.event);
    case "pause":
      return { ...log, paused: true };
    case "resume":
      return trim({ ...log, paused: false, events: merge(log.waiting, log.events), waiting: [] });
    case "append":
      return { ...log, events: merge(log.events, action.events), cursor: action.cursor };
  }
}

function appendEvent(log: EventLog, event: EventNotice): EventLog {
  const oldest = log.events.at(-1);
  // An event older than the oldest one shown is loaded with the next older page.
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

// Limits the memory of a page that stays open for days. Truncated events can be loaded again.
function trim(log: EventLog): EventLog {
  if (log.events.length <= MAX_SHOWN) return log;
  const events = log.events.slice(0, MAX_SHOWN);
  return { ...log, events, cursor: cursorAfter(events.at(-1)) };
}

function cursorAfter(event: EventNotice | undefined): string | null {
  if (event === undefined) return null;
  return btoa(JSON.stringify([String(event.seq), event.created_at])).replaceAll("=", "");
}
