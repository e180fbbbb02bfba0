import "server-only";

const MAX_SECONDS = 15 * 60;

/**
 * Returns the seconds to wait after this many consecutive failures: 0 while free failures remain, then 1, doubling up
 * to 900.
 */
export function lockSeconds(failures: number, freeFailures: number): number {
  if (failures < freeFailures) return 0;
  return Math.min(MAX_SECONDS, 2 ** (failures - freeFailures));
}
