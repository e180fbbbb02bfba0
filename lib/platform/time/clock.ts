import "server-only";

/** The difference between the platform clock and the wall clock. */
export interface ClockSetting {
  offsetMs: number;
  /** When set, the clock is frozen at this time. */
  frozenAt: Date | null;
  /** Seconds of the platform clock in a second of the wall clock, from the wall time `from` on. Absent = 1. */
  rate?: { factor: number; from: Date } | undefined;
}

const REAL_TIME: ClockSetting = { offsetMs: 0, frozenAt: null };

const shared = globalThis as typeof globalThis & {
  trunklineClock?: ClockSetting;
  /** Milliseconds by which PostgreSQL's clock is ahead of this process's clock. */
  trunklineClockSkewMs?: number;
};

/** The platform's time, for every due time, limit and timestamp. Signatures use the wall clock. */
export function now(): Date {
  return readClocks().platform;
}

/** The platform's time and PostgreSQL's wall clock, both of one reading, so that their difference is exact. */
export function readClocks(): { platform: Date; wall: Date } {
  const wall = wallNow();
  return { platform: platformTimeAt(shared.trunklineClock ?? REAL_TIME, wall), wall };
}

/** The platform's time at a time of the wall clock. */
export function platformTimeAt({ offsetMs, frozenAt, rate }: ClockSetting, wall: Date): Date {
  if (frozenAt !== null) return new Date(frozenAt);
  const gainedMs = rate === undefined ? 0 : (wall.getTime() - rate.from.getTime()) * (rate.factor - 1);
  return new Date(wall.getTime() + offsetMs + Math.floor(gainedMs));
}

/** The wall time in which the platform clock advances by `ms`, for timers that only look early. */
export function wallMs(ms: number): number {
  return ms / (shared.trunklineClock?.rate?.factor ?? 1);
}

/** PostgreSQL's wall clock as last measured (follow-clock.ts), for leases, which processes compare with each other. */
export function wallNow(): Date {
  return new Date(Date.now() + clockSkew());
}

/** Sets the milliseconds by which PostgreSQL's clock is ahead of this process's clock. */
export function setClockSkew(skewMs: number): void {
  shared.trunklineClockSkewMs = skewMs;
}

/** The milliseconds by which PostgreSQL's clock is ahead of this process's clock, as last set. */
export function clockSkew(): number {
  return shared.trunklineClockSkewMs ?? 0;
}

/** The two parameters of `platformNowSql`. */
export function clockParameters(): { clockFrozenAt: Date | null; clockOffsetMs: number } {
  const { frozenAt, offsetMs, rate } = shared.trunklineClock ?? REAL_TIME;
  // Statements add an offset that does not change. At another rate, this process's reading is close enough.
  const isReading = frozenAt === null && rate !== undefined;
  return isReading
    ? { clockFrozenAt: now(), clockOffsetMs: 0 }
    : { clockFrozenAt: frozenAt, clockOffsetMs: offsetMs };
}

/**
 * SQL for the platform's time, read from PostgreSQL's clock at the start of the statement, so that values compared
 * between processes do not depend on any process's clock. Rounded down to whole milliseconds like the columns, so a
 * stored time is never in the future. By default the statement takes `clockParameters`.
 */
export function platformNowSql(frozenAt = ":clockFrozenAt", offsetMs = ":clockOffsetMs"): string {
  return `coalesce(${frozenAt}::timestamptz,
    date_trunc('milliseconds', statement_timestamp()) + ${offsetMs}::bigint * interval '1 millisecond')`;
}

/** Sets this process's platform clock; `null` returns it to real time. */
export function setClock(setting: ClockSetting | null): void {
  shared.trunklineClock = setting ?? REAL_TIME;
}
