import "server-only";
import { EventEmitter } from "node:events";
import { runOutOfScope } from "@/lib/platform/database/database-scope";

/** The queues and streams that can be woken. Each has its own readers. */
export const TOPICS = [
  "messages",
  "actions",
  "turns",
  "events",
  "deliveries",
  "replays",
  "simulator",
  "phones",
  "faults",
  "limits",
  "attachments",
  "files",
  "clock",
  "accounts",
  "audits",
  "cards",
  "sessions",
  "lines",
  "mails",
  "alerts",
  "erasures",
  "scheduled",
] as const;
export type Topic = (typeof TOPICS)[number];

interface Waker {
  local: EventEmitter;
  /** Notifies the other instances. Set while `listenToOthers` runs. */
  broadcast: ((topic: Topic) => void) | null;
}

const shared = globalThis as typeof globalThis & { trunklineWaker?: Waker };

function waker(): Waker {
  shared.trunklineWaker ??= { local: new EventEmitter().setMaxListeners(0), broadcast: null };
  return shared.trunklineWaker;
}

/**
 * Wakes the topic's readers, in this process immediately and on other instances soon. After a lost wake-up the next
 * poll finds the work.
 */
export function wake(topic: Topic): void {
  wakeLocally(topic);
  waker().broadcast?.(topic);
}

/** Like `wake`, but only in this process, for notifications from other instances. */
export function wakeLocally(topic: Topic): void {
  runOutOfScope(() => void waker().local.emit(topic));
}

/** Wakes the readers of every topic on the other instances. */
export function broadcastWakeUps(): void {
  for (const topic of TOPICS) waker().broadcast?.(topic);
}

/** Calls `listener` at each wake-up of the topic, until the returned function is called. */
export function onWake(topic: Topic, listener: () => void): () => void {
  waker().local.on(topic, listener);
  return () => waker().local.off(topic, listener);
}

/** Returns how many readers of the topic this process has. */
export function readersOf(topic: Topic): number {
  return waker().local.listenerCount(topic);
}

/** Sets how other instances are notified (see notify.ts); null stops it. */
export function setWakeUpBroadcast(tell: ((topic: Topic) => void) | null): void {
  waker().broadcast = tell;
}
