import "server-only";
import { JITTER, type RetryLadder, totalSeconds } from "@/lib/platform/time/retry-ladder";

/**
 * Milliseconds from the end of the `attempt`-th attempt (from 1) to the next; null after the last. `random` (0 to 1)
 * varies the wait by up to 10% either way, so that deliveries that failed together are retried at different times; the
 * wait never exceeds the ladder's longest.
 */
export function retryDelayMs(ladder: RetryLadder, attempt: number, random: number): number | null {
  const gap = ladder[attempt - 1];
  if (gap === undefined) return null;
  const factor = 1 + JITTER * (2 * random - 1);
  return Math.min(Math.round(gap * 1000 * factor), Math.max(...ladder) * 1000);
}

/** The progress of a delivery. */
export interface RetryState {
  /** The number of the failed attempt, from 1. */
  attempt: number;
  /** The waits between its attempts so far. */
  waitedMs: number;
}

/**
 * Like `retryDelayMs`, but honors a longer wait that the receiver requests with `Retry-After`, as long as all waits
 * together stay within the ladder's total. Returns null when such waits leave no time for a further retry.
 */
export function nextWaitMs(
  ladder: RetryLadder,
  { attempt, waitedMs }: RetryState,
  askedMs: number | null,
  random: number,
): number | null {
  const scheduled = retryDelayMs(ladder, attempt, random);
  if (scheduled === null) return null;
  const windowMs = totalSeconds(ladder) * 1000;
  const granted = Math.min(askedMs ?? 0, windowMs - waitedMs);
  const wait = Math.max(scheduled, granted);
  return waitedMs + wait <= windowMs * (1 + JITTER) ? wait : null;
}
