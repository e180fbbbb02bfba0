import "server-only";
import { log } from "@/lib/platform/telemetry/log";
import type { Answer } from "@/lib/runtime/http/answer";
import type { Caller } from "@/lib/runtime/http/authenticate";

/** A request, first while it runs and then with its response. */
export interface Finished {
  request: Request;
  traceId: string;
  /** performance.now() at the start. */
  startedAt: number;
  /** Absent when the caller is unknown. */
  caller?: Caller;
  /** The path parameters; null when the endpoint does not exist. */
  params?: Record<string, string> | null;
  /** The raw body; absent until it was read. */
  text?: string;
}

type Observer = (finished: Finished, answer: Answer) => void;

const shared = globalThis as typeof globalThis & { trunklineObservers?: Set<Observer> };

/**
 * Calls the observer for every answered request (last use of tokens, metrics, the request log). Returns a function that
 * removes it.
 */
export function onRequestFinished(observer: Observer): () => void {
  shared.trunklineObservers ??= new Set();
  const observers = shared.trunklineObservers;
  observers.add(observer);
  return () => observers.delete(observer);
}

/** Calls the observers. They only buffer data and write it later in batches, so they never delay or fail a response. */
export function observe(finished: Finished, answer: Answer): void {
  for (const observer of shared.trunklineObservers ?? []) {
    try {
      observer(finished, answer);
    } catch (error) {
      log.error({ err: error }, "a request observer failed");
    }
  }
}
