import "server-only";
import type { Caller } from "@/lib/http/authenticate";
import type { Contract } from "@/lib/platform/contract";
import { log } from "@/lib/platform/log";

/** One request, while it runs and when it has been answered. */
export interface Finished {
  contract: Contract;
  request: Request;
  traceId: string;
  /** performance.now() at the start. */
  startedAt: number;
  caller?: Caller;
}

type Observer = (finished: Finished, response: Response) => void;

const shared = globalThis as typeof globalThis & { trunklineObservers?: Set<Observer> };

/** Tells the observer of every answered request (last use of tokens, metrics, the request log) until it is called off. */
export function onRequestFinished(observer: Observer): () => void {
  shared.trunklineObservers ??= new Set();
  const observers = shared.trunklineObservers;
  observers.add(observer);
  return () => observers.delete(observer);
}

/** Tells the observers. They only note; their writes are batched off the response's path, and never lose a response. */
export function observe(finished: Finished, response: Response): void {
  for (const observer of shared.trunklineObservers ?? []) {
    try {
      observer(finished, response);
    } catch (error) {
      log.error({ err: error }, "a request observer failed");
    }
  }
}
