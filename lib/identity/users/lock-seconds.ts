import "server-only";

const MAX_SECONDS = 15 * 60;

/**
 * Returns the seconds that the next attempt waits after this many failures in a row: 1 after the last free failure,
 * then doubling up to 900.
 */
export function lockSeconds(failures: number, freeFailures: number): number {
  if (failures < freeFailures) return 0;
  return Math.min(MAX_SECONDS, 2 ** (failures - freeFailures));
}
