import "server-only";
import { log } from "@/lib/platform/log";
import type { Answer } from "@/lib/runtime/http/answer";
import type { Caller } from "@/lib/runtime/http/authenticate";

/** One request, while it runs and when it has been answered. */
export interface Finished {
  request: Request;
  traceId: string;
  /** performance.now() at the start. */
  startedAt: number;
  /** Absent when the caller is unknown. */
  caller?: Caller;
  /** The path's parameters; null when there is no such endpoint. */
  params?: Record<string, string> | null;
  /** The body as it came, once it was read. */
  text?: string;
}

type Observer = (finished: Finished, answer: Answer) => void;

const shared = globalThis as typeof globalThis & { trunklineObservers?: Set<Observer> };

/** Tells the observer of every answered request (last use of tokens, metrics, the request log) until it is called off. */
export function onRequestFinished(observer: Observer): () => void {
  shared.trunklineObservers ??= new Set();
  const observers = shared.trunklineObservers;
  observers.add(observer);
  return () => observers.delete(observer);
}

/** Tells the observers. They only note; their writes are batched off the response's path, and never lose a response. */
export function observe(finished: Finished, answer: Answer): void {
  for (const observer of shared.trunklineObservers ?? []) {
    try {
      observer(finished, answer);
    } catch (error) {
      log.error({ err: error }, "a request observer failed");
    }
  }
}
