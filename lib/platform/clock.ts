import "server-only";

/** How the platform clock differs from the wall clock. */
export interface ClockSetting {
  offsetMs: number;
  /** When set, the clock stands still here. */
  frozenAt: Date | null;
}

const REAL_TIME: ClockSetting = { offsetMs: 0, frozenAt: null };

const shared = globalThis as typeof globalThis & {
  trunklineClock?: ClockSetting;
  /** How far PostgreSQL's clock is ahead of this process's, in milliseconds. */
  trunklineClockSkewMs?: number;
};

/** The platform's time: every due time, limit and timestamp uses it. Signatures use the wall clock. */
export function now(): Date {
  const setting = shared.trunklineClock ?? REAL_TIME;
  return setting.frozenAt === null
    ? new Date(wallNow().getTime() + setting.offsetMs)
    : new Date(setting.frozenAt);
}

/** PostgreSQL's wall clock, as last measured (follow-clock.ts): for leases, which processes compare with each other. */
export function wallNow(): Date {
  return new Date(Date.now() + (shared.trunklineClockSkewMs ?? 0));
}

/** Sets how far PostgreSQL's clock is ahead of this process's, in milliseconds. */
export function setClockSkew(skewMs: number): void {
  shared.trunklineClockSkewMs = skewMs;
}

/** The two parameters that `platformNowSql` takes. */
export function clockParameters(): [frozenAt: Date | null, offsetMs: number] {
  const { frozenAt, offsetMs } = shared.trunklineClock ?? REAL_TIME;
  return [frozenAt, offsetMs];
}

/**
 * SQL for the platform's time by PostgreSQL's own clock, when the statement began: what several processes write and
 * compare does not depend on any of their clocks. Whole milliseconds, rounded down, as columns keep them: a stored time
 * is never ahead. `frozenAt` and `offsetMs` are the parameters of `clockParameters`, for example "$1" and "$2".
 */
export function platformNowSql(frozenAt: string, offsetMs: string): string {
  return `coalesce(${frozenAt}::timestamptz,
    date_trunc('milliseconds', statement_timestamp()) + ${offsetMs}::bigint * interval '1 millisecond')`;
}

/** Sets this process's platform clock; `null` returns it to real time. */
export function setClock(setting: ClockSetting | null): void {
  shared.trunklineClock = setting ?? REAL_TIME;
}
