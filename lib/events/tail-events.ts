import "server-only";
import { setTimeout as sleep } from "node:timers/promises";
import type { LoggedEvent } from "@/lib/events/logged-event";
import { type FinalEventReader, startFinalEventReader } from "@/lib/events/read-final-events";
import { sql } from "@/lib/platform/db";
import { log } from "@/lib/platform/log";
import { onWake } from "@/lib/platform/wake";

const POLL_MS = 1000;
const BLOCKED_POLL_MS = 50;
/** Wake-ups come with every send: one read serves all of this time. */
const REST_MS = 20;

type Listener = (events: readonly LoggedEvent[]) => void;

interface Tail {
  /** Listeners, and callers that wait to become one. */
  users: number;
  listeners: Set<Listener>;
  reader: Promise<FinalEventReader>;
  stop: AbortController;
}

const shared = globalThis as typeof globalThis & { trunklineTail?: Tail };

/**
 * Follows the events of all accounts, in order and without a gap, from `from` (exclusive) on. One reader per process
 * serves all listeners; it runs only while there are any. Listeners must not throw.
 */
export async function tailEvents(listener: Listener): Promise<{ from: number; stop(): void }> {
  shared.trunklineTail ??= startTail();
  const tail = shared.trunklineTail;
  tail.users++;
  const { cursor } = await tail.reader.catch((error) => {
    leave(tail);
    throw error;
  });
  // Nothing is awaited between reading the cursor and listening, so no event falls between them.
  tail.listeners.add(listener);

  return {
    from: cursor,
    stop() {
      if (tail.listeners.delete(listener)) leave(tail);
    },
  };
}

function leave(tail: Tail): void {
  tail.users--;
  if (tail.users > 0) return;
  tail.stop.abort();
  if (shared.trunklineTail === tail) shared.trunklineTail = undefined;
}

function startTail(): Tail {
  const reader = startFinalEventReader(sql);
  const tail: Tail = { users: 0, listeners: new Set(), reader, stop: new AbortController() };
  reader.then(
    (started) => run(tail, started),
    () => undefined,
  );
  return tail;
}

async function run(tail: Tail, reader: FinalEventReader): Promise<void> {
  const bell = hangBell(tail.stop.signal);
  while (!tail.stop.signal.aborted) {
    const pauseMs = await readOnce(tail, reader);
    await sleep(REST_MS);
    await bell.rungWithin(pauseMs);
  }
}

/** Tells the listeners what is new; returns how long to wait for a wake-up before looking again. */
async function readOnce(tail: Tail, reader: FinalEventReader): Promise<number> {
  try {
    const { events, more, blocked } = await reader.read();
    if (events.length > 0) for (const listener of tail.listeners) listener(events);
    if (blocked) return BLOCKED_POLL_MS;
    return more ? 0 : POLL_MS;
  } catch (error) {
    log.warn({ err: error }, "the event log could not be read");
    return POLL_MS;
  }
}

/** Remembers wake-ups, so that one which comes while the log is being read is not lost. */
function hangBell(until: AbortSignal): { rungWithin(timeoutMs: number): Promise<void> } {
  let rung = false;
  let hear: (() => void) | null = null;
  function ring(): void {
    rung = true;
    hear?.();
  }
  const takeDown = onWake("events", ring);
  until.addEventListener("abort", () => {
    takeDown();
    ring();
  });

  return {
    async rungWithin(timeoutMs) {
      if (!rung && timeoutMs > 0) {
        await new Promise<void>((resolve) => {
          hear = resolve;
          setTimeout(resolve, timeoutMs).unref();
        });
      }
      rung = false;
      hear = null;
    },
  };
}
