import "server-only";
import { type LoggedEvent, lastSeq, logBounds, selectAccountEvents } from "@/lib/events/store/logged-event";
import { tailEvents } from "@/lib/events/tail/tail-events";
import { sql } from "@/lib/platform/database/db";
import { FairSlots } from "@/lib/platform/tasks/fair-slots";

const PAGE = 200;
/**
 * Reads of the log by readers that come back, at the same time. After a restart hundreds do, and requests need the other
 * connections of the pool.
 */
const CATCH_UPS = 2;
const catchUps = new FairSlots({
  total: CATCH_UPS,
  perOwner: CATCH_UPS,
  waitingPerOwner: Number.POSITIVE_INFINITY,
});

/** Maximum number of events that wait for a slow reader. */
const MAX_WAITING = 2000;

/** Thrown when the reader is slower than the events occur. */
export class ReaderTooSlow extends Error {
  constructor() {
    super(`more than ${MAX_WAITING} events were unread`);
  }
}

export interface AccountEvents {
  events: LoggedEvent[];
  /** All of the account's events up to this number have been returned. */
  through: number;
  /** Whether all further events are returned as they occur. */
  live: boolean;
}

/** The numbers of the log, for a reader whose position it may no longer contain. */
export function readLogBounds(accountId: string): Promise<{ first: number; last: number } | null> {
  return catchUps.run(accountId, () => logBounds(sql));
}

export interface FollowOptions {
  accountId: string;
  /** The last event that the reader has; null starts with the next event. */
  after: number | null;
  /** Ends the generator. */
  signal: AbortSignal;
}

/**
 * Returns an account's events after `after`, in order, each once, without gaps: first from the log, page by page, then
 * as they occur. Buffers a bounded number of events. Errors: ReaderTooSlow.
 */
export async function* followAccount({
  accountId,
  after,
  signal,
}: FollowOptions): AsyncGenerator<AccountEvents> {
  const inbox = openInbox(accountId, signal);
  const tail = await tailEvents(inbox.hear);
  try {
    const from = Math.max(inbox.seen(), tail.from);
    // A number beyond the end of the log (after restoring a backup, for example) must not hold back new events.
    let through = after === null ? from : Math.min(after, await catchUps.run(accountId, () => lastSeq(sql)));
    for (let until = from; through < until && !signal.aborted; until = Math.max(from, inbox.seen())) {
      const range = { accountId, after: through, through: until, limit: PAGE };
      const events = await catchUps.run(accountId, () => selectAccountEvents(sql, range));
      through = events.length < PAGE ? until : (events.at(-1)?.seq ?? until);
      yield { events, through, live: false };
    }
    // Everything received so far has been read from the log, and nothing is awaited before new events are kept.
    inbox.keepAfter(through);
    yield { events: [], through, live: true };
    while (!signal.aborted) {
      const events = await inbox.take();
      through = events.at(-1)?.seq ?? through;
      yield { events, through, live: true };
    }
  } finally {
    tail.stop();
  }
}

/** A buffer for received but unread events of an account. */
function openInbox(accountId: string, signal: AbortSignal) {
  let seen = 0;
  let floor = Number.POSITIVE_INFINITY;
  let waiting: LoggedEvent[] = [];
  let tooMany = false;
  let ring = () => {};
  signal.addEventListener("abort", () => ring(), { once: true });

  return {
    /** The number of the last received event of any account. */
    seen: () => seen,
    hear(events: readonly LoggedEvent[]): void {
      seen = events.at(-1)?.seq ?? seen;
      const before = waiting.length;
      for (const event of events) {
        if (event.accountId === accountId && event.seq > floor) waiting.push(event);
      }
      if (waiting.length > before) ring();
      if (waiting.length <= MAX_WAITING) return;
      tooMany = true;
      floor = Number.POSITIVE_INFINITY;
      waiting = [];
    },
    keepAfter(seq: number): void {
      floor = seq;
    },
    /** Waits for at least one event and returns all events since the last call. Empty at the end. */
    async take(): Promise<LoggedEvent[]> {
      if (waiting.length === 0 && !tooMany && !signal.aborted) {
        await new Promise<void>((resolve) => {
          ring = resolve;
        });
      }
      if (tooMany) throw new ReaderTooSlow();
      const taken = waiting;
      waiting = [];
      return taken;
    },
  };
}
