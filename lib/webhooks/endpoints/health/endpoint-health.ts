import "server-only";

const HOUR_MS = 3_600_000;

/** The period over which the share of failures is computed. */
export const HEALTH_WINDOW_MS = 24 * HOUR_MS;
/** With fewer attempts in the window, the share of failures is not meaningful. */
const ATTEMPTS_LEAST = 10;
/** An endpoint has recovered after this many successes without a failure. */
const SUCCESSES_TO_RECOVER = 10;
/** Failures only for this long disable the endpoint. */
const DISABLE_AFTER_MS = 5 * 24 * HOUR_MS;

const LEVELS = [100, 90, 50] as const;

/** A share of failures, in percent, that triggers a warning. */
export type WarnLevel = (typeof LEVELS)[number];

/** The counted attempts of an endpoint. */
export interface EndpointCounts {
  /** Within HEALTH_WINDOW_MS. */
  attempts: number;
  failures: number;
  /** The first failed attempt without a later success; null when the last attempt succeeded, or there was none. */
  failedSince: Date | null;
  /** Successes after the last failure. 0 when the first of them was in the same hour before it. */
  succeededSince: number;
}

/** The stored health of an endpoint. */
export interface EndpointHealth {
  failingSince: Date | null;
  /** The highest level warned of since the endpoint last recovered; 0 = none. */
  warnedPercent: number;
}

export interface HealthRating extends EndpointHealth {
  /** The level to warn of now; null when there is none or the warning was already sent. */
  warn: WarnLevel | null;
  /** A warning ends because of SUCCESSES_TO_RECOVER: the failures before them no longer count. */
  isRecovered: boolean;
  disable: boolean;
}

/**
 * Evaluates an endpoint. Each level triggers one warning, and another one only after the share of failures fell below
 * half or the endpoint recovered. The endpoint is disabled when all attempts in the window failed, however few, and all attempts before it for
 * five days or longer.
 */
export function evaluateHealth(was: EndpointHealth, counts: EndpointCounts, now: Date): HealthRating {
  const isRecovered = was.warnedPercent > 0 && counts.succeededSince >= SUCCESSES_TO_RECOVER;
  const level = isRecovered ? 0 : (levelOf(counts) ?? was.warnedPercent);
  const failingSince = failingSinceOf(was, counts);
  const failingMs = failingSince === null ? 0 : now.getTime() - failingSince.getTime();
  return {
    failingSince,
    warnedPercent: level === 0 ? 0 : Math.max(level, was.warnedPercent),
    warn: LEVELS.find((warned) => warned === level && warned > was.warnedPercent) ?? null,
    isRecovered,
    disable: counts.failures > 0 && failingMs >= DISABLE_AFTER_MS,
  };
}

// Without recent attempts, the previous evaluation still applies.
function failingSinceOf(
  was: EndpointHealth,
  { attempts, failures, failedSince }: EndpointCounts,
): Date | null {
  if (attempts === 0) return failedSince && was.failingSince;
  return failures === attempts ? failedSince : null;
}

// null = too few attempts to tell. Without any failure, even a few attempts are enough.
function levelOf({ attempts, failures }: EndpointCounts): WarnLevel | 0 | null {
  if (attempts > 0 && failures === 0) return 0;
  if (attempts < ATTEMPTS_LEAST) return null;
  const percent = (100 * failures) / attempts;
  return LEVELS.find((level) => percent >= level) ?? 0;
}
