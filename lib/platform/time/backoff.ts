import { randomInt } from "node:crypto";

export interface Backoff {
  /** The pause before the next attempt in ms: random, between half the bound and the bound, which doubles each time. */
  next(): number;
  /** Starts again from the shortest pause. */
  reset(): void;
}

/** Pauses between attempts, from about `leastMs` to at most `mostMs`, with jitter so that processes do not retry in step. */
export function createBackoff({ leastMs, mostMs }: { leastMs: number; mostMs: number }): Backoff {
  let boundMs = leastMs;
  return {
    next() {
      const pauseMs = boundMs / 2 + (randomInt(1001) / 1000) * (boundMs / 2);
      boundMs = Math.min(boundMs * 2, mostMs);
      return pauseMs;
    },
    reset() {
      boundMs = leastMs;
    },
  };
}
