import "server-only";
import { type LoggedEvent, lastSeq, selectAccountEvents } from "@/lib/events/logged-event";
import { tailEvents } from "@/lib/events/tail-events";
import { sql } from "@/lib/platform/db";

const PAGE = 200;
/** Maximum number of events that wait for a slow reader. */
const MAX_WAITING = 2000;

/** The reader takes events more slowly than they happen. */
export class FellBehind extends Error {
  constructor() {
    super(`more than ${MAX_WAITING} events were unread`);
  }
}

export interface Followed {
  events: LoggedEvent[];
  /** All of the account's events up to this number have been given. */
  through: number;
  /** From here on events come as they happen. */
  live: boolean;
}

export interface FollowOptions {
  accountId: string;
  /** The last event the reader has; null begins with the next that happens. */
  after: number | null;
  /** Ends it. */
  signal: AbortSignal;
}

/**
 * One account's events after `after`, in order, each once, without a gap: from the log, a page at a time, and then as
 * they happen. What it holds for the reader is bounded. Errors: FellBehind.
 */
export async function* followAccount({ accountId, after, signal }: FollowOptions): AsyncGenerator<Followed> {
  const inbox = openInbox(accountId, signal);
  const tail = await tailEvents(inbox.hear);
  try {
    const from = Math.max(inbox.seen(), tail.from);
    // A number that was never given, as after a restored backup, must not keep back what comes.
    let through = after === null ? from : Math.min(after, await lastSeq(sql));
    for (let until = from; through < until && !signal.aborted; until = Math.max(from, inbox.seen())) {
      const range = { accountId, after: through, through: until, limit: PAGE };
      const events = await selectAccountEvents(sql, range);
      through = events.length < PAGE ? until : (events.at(-1)?.seq ?? until);
      yield { events, through, live: false };
    }
    // All that was heard of has been read, and nothing is awaited before the rest is kept.
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

/** The events of an account that were received and not yet read. */
function openInbox(accountId: string, signal: AbortSignal) {
  let seen = 0;
  let floor = Number.POSITIVE_INFINITY;
  let waiting: LoggedEvent[] = [];
  let tooMany = false;
  let ring = () => {};
  signal.addEventListener("abort", () => ring(), { once: true });

  return {
    /** The last event of any account that was heard of. */
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
    /** Returns the events since the last call; waits for one. Empty at the end. */
    async take(): Promise<LoggedEvent[]> {
      if (waiting.length === 0 && !tooMany && !signal.aborted) {
        await new Promise<void>((resolve) => {
          ring = resolve;
        });
      }
      if (tooMany) throw new FellBehind();
      const taken = waiting;
      waiting = [];
      return taken;
    },
  };
}
