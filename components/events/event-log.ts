import type { ShownEvent } from "@/components/events/event-row";
import type { EventView } from "@/lib/events/store/event-view";

const MAX_SHOWN = 1000;

/** A page of events, newest first. */
export interface LogPage {
  events: ShownEvent[];
  next_cursor: string | null;
  /** The time back to which a search has looked, when it stopped at its limit. */
  searched_back_to?: string | null;
}

/** The state of the log. */
export interface EventLog {
  /** The search whose events are shown. */
  id: string;
  /** The events shown, newest first. */
  events: ShownEvent[];
  /** The events received while paused, newest first. */
  waiting: EventView[];
  paused: boolean;
  /** The cursor of the next older page; null when the whole log is loaded. */
  cursor: string | null;
  searchedBackTo: string | null;
}

/** The log of a search with its first page. */
export function openLog(id: string, page: LogPage): EventLog {
  return { id, events: page.events, waiting: [], paused: false, ...endOf(page) };
}

function endOf({ next_cursor, searched_back_to = null }: LogPage) {
  return { cursor: next_cursor, searchedBackTo: searched_back_to };
}

export type LogAction =
  | { type: "hear"; event: EventView }
  | { type: "pause" }
  | { type: "resume" }
  | { type: "append"; id: string; page: LogPage }
  | { type: "open"; log: EventLog };

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
      // A page of a search that was left meanwhile.
      if (action.id !== log.id) return log;
      return { ...log, events: merge(log.events, action.page.events), ...endOf(action.page) };
    case "open":
      return action.log;
  }
}

function appendEvent(log: EventLog, event: EventView): EventLog {
  const oldest = log.events.at(-1);
  // An event older than the oldest one shown is loaded with the next older page.
  if (log.cursor !== null && oldest !== undefined && event.seq < oldest.seq) return log;
  if (has(log.events, event) || has(log.waiting, event)) return log;
  if (log.paused) return { ...log, waiting: insert(log.waiting, event) };
  return trim({ ...log, events: insert(log.events, event) });
}

function has(events: readonly ShownEvent[], { seq }: EventView): boolean {
  return events.some((event) => event.seq === seq);
}

function insert<Event extends EventView>(events: Event[], event: Event): Event[] {
  const place = events.findIndex(({ seq }) => seq < event.seq);
  return events.toSpliced(place === -1 ? events.length : place, 0, event);
}

function merge(left: readonly ShownEvent[], right: readonly ShownEvent[]): ShownEvent[] {
  const bySeq = new Map([...left, ...right].map((event) => [event.seq, event]));
  return [...bySeq.values()].sort((a, b) => b.seq - a.seq);
}

// Limits the memory of a page that stays open for days. Truncated events can be loaded again.
function trim(log: EventLog): EventLog {
  if (log.events.length <= MAX_SHOWN) return log;
  const events = log.events.slice(0, MAX_SHOWN);
  return { ...log, events, cursor: cursorAfter(events.at(-1)) };
}

function cursorAfter(event: EventView | undefined): string | null {
  if (event === undefined) return null;
  return btoa(JSON.stringify([String(event.seq), event.created_at])).replaceAll("=", "");
}
