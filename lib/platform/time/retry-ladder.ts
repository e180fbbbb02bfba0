import "server-only";
import { z } from "zod";

/**
 * The specification's waits between attempts: ten retries over about 25 minutes, with waits of at most ten minutes
 * (contract.md 4.5).
 */
const SPECIFIED = "2,4,8,16,30,60,120,240,420,600";

const MAX_RETRIES = 50;
const MAX_TOTAL_SECONDS = 24 * 60 * 60;
const FORM = "must be whole seconds separated by commas, such as 2,4,8,16";

/** Seconds from each failed attempt to the next attempt. */
export type RetryLadder = readonly number[];

/**
 * `WEBHOOK_RETRY_SECONDS`: comma-separated seconds between attempts. At most 50 waits with a sum of at most one day,
 * the shortest time that events are kept.
 */
export const RetryLadder = z
  .string()
  .default("")
  .transform((text) => (text.trim() === "" ? SPECIFIED : text).split(",").map(Number))
  .pipe(
    z
      .array(z.int(FORM).min(1, FORM))
      .max(MAX_RETRIES, `can have at most ${MAX_RETRIES} waits`)
      .refine(
        (gaps) => totalSeconds(gaps) <= MAX_TOTAL_SECONDS,
        "the sum of all waits can be at most one day (86400)",
      ),
  );

/** Returns the sum of all waits. */
export function totalSeconds(ladder: RetryLadder): number {
  return ladder.reduce((sum, gap) => sum + gap, 0);
}
