import "server-only";
import { setTimeout as sleep } from "node:timers/promises";
import type { LoggedEvent } from "@/lib/events/store/logged-event";
import { type FinalEventReader, startFinalEventReader } from "@/lib/events/tail/read-final-events";
import { sql } from "@/lib/platform/database/db";
import { onWake } from "@/lib/platform/database/wake";
import { log } from "@/lib/platform/telemetry/log";

const POLL_MS = 1000;
const BLOCKED_POLL_MS = 50;
/** Every send causes a wake-up. One read serves all wake-ups within this time. */
const REST_MS = 20;

type Listener = (events: readonly LoggedEvent[]) => void;

interface Tail {
  /** The number of listeners and of callers about to become one. */
  users: number;
  listeners: Set<Listener>;
  reader: Promise<FinalEventReader>;
  stop: AbortController;
}

const shared = globalThis as typeof globalThis & { trunklineTail?: Tail };

/**
 * Calls the listener with the events of all accounts after `from`, in order and without gaps. One reader per process
 * serves all listeners and runs only while there are any. Listeners must not throw.
 */
export async function tailEvents(listener: Listener): Promise<{ from: number; stop(): void }> {
  shared.trunklineTail ??= startTail();
  const tail = shared.trunklineTail;
  tail.users++;
  const { cursor } = await tail.reader.catch((error) => {
    leave(tail);
    throw error;
  });
  // Nothing is awaited between reading the cursor and adding the listener, so no event is missed.
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
  const bell = listenForWakeUps(tail.stop.signal);
  while (!tail.stop.signal.aborted) {
    const pauseMs = await readOnce(tail, reader);
    await sleep(REST_MS);
    await bell.waitForWake(pauseMs);
  }
}

/** Passes new events to the listeners. Returns how many ms to wait for a wake-up before reading again. */
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

/** Records wake-ups, so that one that arrives while the log is being read is not lost. */
function listenForWakeUps(until: AbortSignal): { waitForWake(timeoutMs: number): Promise<void> } {
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
    async waitForWake(timeoutMs) {
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
