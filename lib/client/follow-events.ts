import { apiFetch } from "@/lib/client/api-fetch";
import type { EventView } from "@/lib/events/store/event-view";

export type StreamStatus = "connecting" | "live" | "reconnecting";

interface Following {
  /** Returns the stream's URL after an event; null starts with new events. */
  address: (after: number | null) => string;
  after: number | null;
  onEvent: (event: EventView) => void;
  /** From now on, every event is received. */
  onReady: () => void;
  onStatus: (status: StreamStatus) => void;
}

const RETRY_MS = [1000, 2000, 4000, 8000, 15_000];
/** The server sends a heartbeat every four seconds: after two that are missing, the connection is taken for lost. */
const SILENCE_MS = 9000;
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
  let silence: ReturnType<typeof setTimeout> | undefined;

  function open(): void {
    if (stopped || source !== null) return;
    source = new EventSource(address(last));
    waitForMore();
    source.addEventListener("ready", (ready) => {
      failures = 0;
      last = Math.max(last ?? 0, Number(ready.lastEventId));
      waitForMore();
      onStatus("live");
      onReady();
    });
    source.addEventListener("message", ({ data }) => {
      const event: EventView = JSON.parse(data);
      last = event.seq;
      waitForMore();
      onEvent(event);
    });
    source.addEventListener("heartbeat", waitForMore);
    source.addEventListener("error", () => {
      onStatus("reconnecting");
      // After a lost connection the browser reconnects automatically. After a rejection it does not.
      if (source?.readyState === EventSource.CLOSED) retryLater();
    });
  }

  // The browser does not notice a server that is frozen, or a network that is gone: it waits for ever.
  function waitForMore(): void {
    clearTimeout(silence);
    silence = setTimeout(onLost, SILENCE_MS);
  }

  function onLost(): void {
    onStatus("reconnecting");
    retryLater();
  }

  function close(): void {
    clearTimeout(retrying);
    clearTimeout(silence);
    source?.close();
    source = null;
  }

  function retryLater(): void {
    close();
    retrying = setTimeout(retry, RETRY_MS[Math.min(failures++, RETRY_MS.length - 1)]);
  }

  // This request sends a user who was signed out to the sign-in page.
  async function retry(): Promise<void> {
    const answered = await apiFetch("/api/events?limit=1", { signal: AbortSignal.timeout(SILENCE_MS) }).then(
      () => true,
      () => false,
    );
    if (answered) open();
    else if (!stopped && source === null) retryLater();
  }

  function onOffline(): void {
    if (source !== null) onLost();
  }

  function onOnline(): void {
    if (document.hidden) return;
    close();
    open();
  }

  function onVisibility(): void {
    clearTimeout(hiding);
    if (document.hidden) hiding = setTimeout(close, HIDDEN_MS);
    else open();
  }

  open();
  document.addEventListener("visibilitychange", onVisibility);
  window.addEventListener("offline", onOffline);
  window.addEventListener("online", onOnline);
  return {
    stop() {
      stopped = true;
      clearTimeout(hiding);
      document.removeEventListener("visibilitychange", onVisibility);
      window.removeEventListener("offline", onOffline);
      window.removeEventListener("online", onOnline);
      close();
    },
  };
}
