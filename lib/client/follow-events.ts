import { apiFetch } from "@/lib/client/api-fetch";
import type { EventNotice } from "@/lib/events/store/event-notice";

export type StreamStatus = "connecting" | "live" | "reconnecting";

interface Following {
  /** Returns the stream's URL after an event; null starts with new events. */
  address: (after: number | null) => string;
  after: number | null;
  onEvent: (event: EventNotice) => void;
  /** From now on, every event is received. */
  onReady: () => void;
  onStatus: (status: StreamStatus) => void;
}

const RETRY_MS = [1000, 2000, 4000, 8000, 15_000];
/** Browsers limit the connections to one server, so hidden tabs close theirs. */
const HIDDEN_MS = 20_000;

/** Follows the account's events until it is stopped. After a lost connection, continues with the next event. */
export function followEvents({ address, after, onEvent, onReady, onStatus }: Following): { stop(): void } {
  let source: EventSource | null = null;
  let last = after;
  let failures = 0;
  let stopped = false;
  let hiding: ReturnType<typeof setTimeout> | undefined;
  let retrying: ReturnType<typeof setTimeout> | undefined;

  function open(): void {
    if (stopped || source !== null) return;
    source = new EventSource(address(last));
    source.addEventListener("ready", (ready) => {
      failures = 0;
      last = Math.max(last ?? 0, Number(ready.lastEventId));
      onStatus("live");
      onReady();
    });
    source.addEventListener("message", ({ data }) => {
      const event: EventNotice = JSON.parse(data);
      last = event.seq;
      onEvent(event);
    });
    source.addEventListener("error", () => {
      onStatus("reconnecting");
      // After a lost connection the browser reconnects automatically. After a rejection it does not.
      if (source?.readyState === EventSource.CLOSED) retryLater();
    });
  }

  function close(): void {
    clearTimeout(retrying);
    source?.close();
    source = null;
  }

  function retryLater(): void {
    close();
    retrying = setTimeout(retry, RETRY_MS[Math.min(failures++, RETRY_MS.length - 1)]);
  }

  // This request sends a user who was signed out to the sign-in page.
  async function retry(): Promise<void> {
    const answered = await apiFetch("/api/events?limit=1").then(
      () => true,
      () => false,
    );
    if (answered) open();
    else if (!stopped) retryLater();
  }

  function onVisibility(): void {
    clearTimeout(hiding);
    if (document.hidden) hiding = setTimeout(close, HIDDEN_MS);
    else open();
  }

  open();
  document.addEventListener("visibilitychange", onVisibility);
  return {
    stop() {
      stopped = true;
      clearTimeout(hiding);
      document.removeEventListener("visibilitychange", onVisibility);
      close();
    },
  };
}
