import "server-only";
import { AdapterError } from "@/lib/adapters/adapter-error";

/** How long a send waits for a connection before the line counts as down. */
const UNBOUND_WAIT_MS = 3000;

interface Waiting {
  since: number;
  grant(): void;
}

/** The turns of the messages that wait for the window and the throughput of a connection, oldest first. */
export interface SendTurns {
  /**
   * Resolves when a message may be sent. `since` orders the messages that wait. Throws AdapterError `rate_limited` when
   * the signal is aborted before, `line_down` when there is no connection for three seconds: nothing was sent.
   */
  take(since: number, signal: AbortSignal): Promise<void>;
  /** Returns the place of a message in the window. */
  release(): void;
  /** Lets messages go or holds them. */
  open(isOpen: boolean): void;
  /** Holds messages for a while, because the SMS center asked for it. */
  pause(ms: number): void;
}

/** `perSecond` messages start per second, and at most `window` are in progress. */
export function createTurns({ window, perSecond }: { window: number; perSecond: number }): SendTurns {
  const gapMs = 1000 / perSecond;
  const waiting: Waiting[] = [];
  let inProgress = 0;
  let nextAt = 0;
  let isOpen = false;
  let isWaking = false;

  function grantNext(): void {
    while (isOpen && inProgress < window && waiting.length > 0) {
      const now = performance.now();
      if (now < nextAt) {
        wakeAt(nextAt - now);
        return;
      }
      nextAt = Math.max(nextAt + gapMs, now);
      inProgress++;
      waiting.shift()?.grant();
    }
  }

  function wakeAt(ms: number): void {
    if (isWaking) return;
    isWaking = true;
    setTimeout(() => {
      isWaking = false;
      grantNext();
    }, ms);
  }

  function add(entry: Waiting): void {
    const place = waiting.findIndex(({ since }) => since > entry.since);
    waiting.splice(place === -1 ? waiting.length : place, 0, entry);
  }

  return {
    take: (since, signal) =>
      new Promise((resolve, reject) => {
        const entry: Waiting = {
          since,
          grant() {
            end();
            resolve();
          },
        };
        const refuse = (error: AdapterError) => {
          waiting.splice(waiting.indexOf(entry), 1);
          end();
          reject(error);
        };
        const onAbort = () =>
          refuse(new AdapterError("rate_limited", "the message waited too long for its turn"));
        const unbound = setInterval(() => {
          if (!isOpen) refuse(new AdapterError("line_down", "the SMS center is not connected"));
        }, UNBOUND_WAIT_MS);
        const end = () => {
          clearInterval(unbound);
          signal.removeEventListener("abort", onAbort);
        };
        signal.addEventListener("abort", onAbort);
        add(entry);
        if (signal.aborted) onAbort();
        else grantNext();
      }),
    release() {
      inProgress--;
      grantNext();
    },
    open(next) {
      isOpen = next;
      grantNext();
    },
    pause(ms) {
      nextAt = Math.max(nextAt, performance.now() + ms);
    },
  };
}
