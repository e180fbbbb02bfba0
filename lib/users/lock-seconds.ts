import "server-only";

const FREE_FAILURES = 5;
const LONGEST_SECONDS = 15 * 60;

/** How long nobody may try again after this many failures in a row: 1 s after the fifth, doubling, at most 15 minutes. */
export function lockSeconds(failures: number): number {
  if (failures < FREE_FAILURES) return 0;
  return Math.min(LONGEST_SECONDS, 2 ** (failures - FREE_FAILURES));
}
