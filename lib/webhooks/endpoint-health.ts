import "server-only";

const HOUR_MS = 3_600_000;

/** The period for the share of failures. */
export const HEALTH_WINDOW_MS = 24 * HOUR_MS;
/** Of fewer attempts than this in the window a share says nothing. */
const ATTEMPTS_LEAST = 10;
/** Nothing but failures for so long disables. */
const DISABLE_AFTER_MS = 5 * 24 * HOUR_MS;

const LEVELS = [100, 90, 50] as const;

/** A share of failures, in percent, that is warned of. */
export type WarnLevel = (typeof LEVELS)[number];

/** The counted attempts of an endpoint. */
export interface EndpointCounts {
  /** In the window. */
  attempts: number;
  failures: number;
  /** The first failed attempt with no success after it; null when the last attempt went well, or there was none. */
  failedSince: Date | null;
}

/** The stored health of an endpoint. */
export interface EndpointHealth {
  failingSince: Date | null;
  /** The highest level warned of since it was last well; 0 = none. */
  warnedPercent: number;
}

export interface HealthRating extends EndpointHealth {
  /** The level to warn of now. null when there is none or its warning was sent before. */
  warn: WarnLevel | null;
  disable: boolean;
}

/**
 * Evaluates an endpoint. Each level causes one warning, and another one only after less than half of the attempts
 * failed. The endpoint is disabled when all attempts of the window failed, however few, and all attempts before it
 * for five days or longer.
 */
export function evaluateHealth(was: EndpointHealth, counts: EndpointCounts, now: Date): HealthRating {
  const level = levelOf(counts) ?? was.warnedPercent;
  const failingSince = failingSinceOf(was, counts);
  const failingMs = failingSince === null ? 0 : now.getTime() - failingSince.getTime();
  return {
    failingSince,
    warnedPercent: level === 0 ? 0 : Math.max(level, was.warnedPercent),
    warn: LEVELS.find((warned) => warned === level && warned > was.warnedPercent) ?? null,
    disable: counts.failures > 0 && failingMs >= DISABLE_AFTER_MS,
  };
}

// Without recent attempts, an endpoint counts as failing as before.
function failingSinceOf(
  was: EndpointHealth,
  { attempts, failures, failedSince }: EndpointCounts,
): Date | null {
  if (attempts === 0) return failedSince && was.failingSince;
  return failures === attempts ? failedSince : null;
}

// null: too few attempts to tell. Attempts that all went well tell, however few.
function levelOf({ attempts, failures }: EndpointCounts): WarnLevel | 0 | null {
  if (attempts > 0 && failures === 0) return 0;
  if (attempts < ATTEMPTS_LEAST) return null;
  const percent = (100 * failures) / attempts;
  return LEVELS.find((level) => percent >= level) ?? 0;
}
