import "server-only";

/** Waits between attempts: ten retries over about 25 minutes, none longer than ten (contract.md 4.5). */
export const RETRY_GAPS_SECONDS = [2, 4, 8, 16, 30, 60, 120, 240, 420, 600] as const;

/** The first attempt and every retry. */
export const ATTEMPTS_MOST = 1 + RETRY_GAPS_SECONDS.length;

/** What all gaps come to: a receiver that asks for more time gets it within this. */
export const RETRY_WINDOW_MS = RETRY_GAPS_SECONDS.reduce((sum: number, gap) => sum + gap, 0) * 1000;

const JITTER = 0.1;
const GAP_MOST_MS = 600_000;
const WAITED_MOST_MS = RETRY_WINDOW_MS * (1 + JITTER);

/**
 * Milliseconds from the end of the `attempt`-th attempt (from 1) to the next; null after the last. `random` from 0 to 1
 * spreads the retries of deliveries that failed together over a tenth either way.
 */
export function retryDelayMs(attempt: number, random: number): number | null {
  const gap = RETRY_GAPS_SECONDS[attempt - 1];
  if (gap === undefined) return null;
  const factor = 1 + JITTER * (2 * random - 1);
  return Math.min(Math.round(gap * 1000 * factor), GAP_MOST_MS);
}

/** How far a delivery has come. */
export interface RetryState {
  /** The attempt that has failed, from 1. */
  attempt: number;
  /** The waits between its attempts so far. */
  waitedMs: number;
}

/**
 * As `retryDelayMs`, where the receiver may ask for a longer wait (`Retry-After`): it gets what it asks for as long as
 * all waits together stay within the window. Retries that no longer fit into it, because of that, are not made: null.
 */
export function nextWaitMs(
  { attempt, waitedMs }: RetryState,
  askedMs: number | null,
  random: number,
): number | null {
  const scheduled = retryDelayMs(attempt, random);
  if (scheduled === null) return null;
  const granted = Math.min(askedMs ?? 0, RETRY_WINDOW_MS - waitedMs);
  const wait = Math.max(scheduled, granted);
  return waitedMs + wait <= WAITED_MOST_MS ? wait : null;
}
