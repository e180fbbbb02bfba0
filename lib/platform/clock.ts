import "server-only";

/** How the platform clock differs from the wall clock. */
export interface ClockSetting {
  offsetMs: number;
  /** When set, the clock stands still here. */
  frozenAt: Date | null;
}

const REAL_TIME: ClockSetting = { offsetMs: 0, frozenAt: null };

const shared = globalThis as typeof globalThis & { trunklineClock?: ClockSetting };

/** The platform's time: every due time, limit and timestamp uses it. Signatures use the wall clock. */
export function now(): Date {
  const setting = shared.trunklineClock ?? REAL_TIME;
  return setting.frozenAt === null ? new Date(Date.now() + setting.offsetMs) : new Date(setting.frozenAt);
}

/** Sets this process's platform clock; `null` returns it to real time. */
export function setClock(setting: ClockSetting | null): void {
  shared.trunklineClock = setting ?? REAL_TIME;
}
