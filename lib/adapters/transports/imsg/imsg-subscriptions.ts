import "server-only";
import { setTimeout as sleep } from "node:timers/promises";
import { log } from "@/lib/platform/telemetry/log";
import { createBackoff } from "@/lib/platform/time/backoff";

const AGAIN_MS = { leastMs: 500, mostMs: 30_000 };
/** A subscription that lasted this long was in order, so the next one begins at once. */
const LASTED_MS = 10_000;

interface Imsg {
  request(method: string, params: Record<string, unknown>): Promise<unknown>;
  isUsable(method: string): boolean;
  signal: AbortSignal;
}

/**
 * The subscriptions of one process of imsg. Each ends with its first error or overflow (Sources/imsg/
 * RPCServer+WatchHandlers.swift and +BridgeEventHandlers.swift of openclaw/imsg), and begins again at once.
 */
export interface Subscriptions {
  /** Watches the rows after `since`; null = those from now on. Throws AdapterError. */
  watch(since: number | null): Promise<void>;
  /** Subscribes to the events of the bridge, if it runs and this has not been done. */
  events(): Promise<void>;
  /** A notification that ends a subscription, or any other one. */
  ended(method: string, params: Record<string, unknown>): void;
  /** Up to where all rows were reported. */
  noteCursor(cursor: number): void;
  /** Rejects when the watch can't begin again. */
  failed: Promise<never>;
}

export function createSubscriptions({ request, isUsable, signal }: Imsg): Subscriptions {
  const backoff = createBackoff(AGAIN_MS);
  const { promise: failed, reject: fail } = Promise.withResolvers<never>();
  failed.catch(() => undefined);
  let cursor: number | null = null;
  let beganAt = 0;
  let eventsId: unknown = null;
  let hasEvents = false;

  async function watch(since: number | null): Promise<void> {
    cursor = since ?? cursor;
    beganAt = performance.now();
    // 0 means the newest row, as nothing does.
    const from = cursor === null || cursor <= 0 ? {} : { since_rowid: cursor };
    const rows = { attachments: true, include_reactions: true };
    await request("watch.subscribe", { ...rows, ...from });
  }

  async function watchAgain(since: number | null): Promise<void> {
    if (performance.now() - beganAt > LASTED_MS) backoff.reset();
    else await sleep(backoff.next(), undefined, { signal });
    await watch(since);
  }

  async function events(): Promise<void> {
    if (hasEvents || !isUsable("bridge.events.subscribe")) return;
    hasEvents = true;
    try {
      const subscribed = await request("bridge.events.subscribe", {});
      eventsId = (subscribed as { subscription?: unknown } | null)?.subscription ?? null;
    } catch (error) {
      // Without the events, only typing is missing. The next check of the bridge tries again.
      hasEvents = false;
      log.debug({ err: error }, "the events of the bridge of imsg can't be subscribed to");
    }
  }

  return {
    watch,
    events,
    ended(method, params) {
      const { subscription, resume_after_rowid: resume } = params;
      const isOfBridge = method.startsWith("bridge.events.");
      if (isOfBridge || (method === "error" && subscription === eventsId && eventsId !== null)) {
        hasEvents = false;
        eventsId = null;
        void events();
      } else if (method === "watch.overflow" || method === "error") {
        watchAgain(typeof resume === "number" ? resume : null).catch(fail);
      }
    },
    noteCursor(next) {
      cursor = Math.max(cursor ?? 0, next);
    },
    failed,
  };
}
