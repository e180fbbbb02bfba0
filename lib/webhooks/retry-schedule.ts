import "server-only";

/** Waits between attempts: ten retries over about 25 minutes, none longer than ten (contract.md 4.5). */
export const RETRY_GAPS_SECONDS = [2, 4, 8, 16, 30, 60, 120, 240, 420, 600] as const;

/** The first attempt and every retry. */
export const ATTEMPTS_MOST = 1 + RETRY_GAPS_SECONDS.length;

const JITTER = 0.1;
const GAP_MOST_MS = 600_000;

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
