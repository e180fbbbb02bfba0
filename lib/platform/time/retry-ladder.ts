import "server-only";
import { z } from "zod";

/**
 * The specification's waits between attempts: ten retries over about 25 minutes, with waits of at most ten minutes
 * (docs/contract.md, section 12.8).
 */
const SPECIFIED = "2,4,8,16,30,60,120,240,420,600";

const DAY_SECONDS = 24 * 60 * 60;
const MAX_RETRIES = 50;
/** The share by which a wait may be shorter or longer. */
export const JITTER = 0.1;
/** At most what one attempt takes, with the time until a worker is free for it. */
const ATTEMPT_MS = 60_000;
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
        (gaps) => totalSeconds(gaps) <= DAY_SECONDS,
        "the sum of all waits can be at most one day (86400)",
      ),
  );

/**
 * The ladder that a webhook subscription chooses: 1 to 50 waits with a sum of at most three days
 * (docs/contract.md, section 12.8). An event stays stored while a delivery of it waits, however short retention is.
 */
export const SubscriptionLadder = z
  .array(z.int().min(1))
  .min(1)
  .max(MAX_RETRIES)
  .refine(
    (gaps) => totalSeconds(gaps) <= 3 * DAY_SECONDS,
    `the sum of all waits can be at most three days (${3 * DAY_SECONDS})`,
  );

/** Returns the sum of all waits. */
export function totalSeconds(ladder: RetryLadder): number {
  return ladder.reduce((sum, gap) => sum + gap, 0);
}

/** The milliseconds in which the attempts of a delivery with this ladder end, unless it waits for a replay or a key. */
export function ladderSpanMs(ladder: RetryLadder): number {
  return totalSeconds(ladder) * 1000 * (1 + JITTER) + (ladder.length + 1) * ATTEMPT_MS;
}
