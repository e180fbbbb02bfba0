import "server-only";
import { type RetryLadder, totalSeconds } from "@/lib/platform/retry-ladder";

const JITTER = 0.1;

/**
 * Milliseconds from the end of the `attempt`-th attempt (from 1) to the next; null after the last. `random` from 0 to 1
 * spreads the retries of deliveries that failed together over a tenth either way, within the longest wait of the ladder.
 */
export function retryDelayMs(ladder: RetryLadder, attempt: number, random: number): number | null {
  const gap = ladder[attempt - 1];
  if (gap === undefined) return null;
  const factor = 1 + JITTER * (2 * random - 1);
  return Math.min(Math.round(gap * 1000 * factor), Math.max(...ladder) * 1000);
}

/** The progress of a delivery. */
export interface RetryState {
  /** The attempt that has failed, from 1. */
  attempt: number;
  /** The waits between its attempts so far. */
  waitedMs: number;
}

/**
 * As `retryDelayMs`, where the receiver may ask for a longer wait (`Retry-After`): it gets what it asks for as long as
 * all waits together stay within those of the ladder. Retries that no longer fit into it, because of that, are not made:
 * null.
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
