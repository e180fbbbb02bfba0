import "server-only";

const RATIO = 1.2;
const FINEST_MS = 1;
const HIGHEST_STEP = 60;

/**
 * The histogram step of a latency. Each step is 20% longer than the one before, so percentiles from counts are accurate
 * to 10%. Step 0 ends at 1 ms; the last one contains everything above 47 s.
 */
export function latencyStep(latencyMs: number): number {
  if (latencyMs <= FINEST_MS) return 0;
  return Math.min(Math.ceil(Math.log(latencyMs / FINEST_MS) / Math.log(RATIO)), HIGHEST_STEP);
}

/** The highest step of `latencyStepSql`, which ends at 15 days. */
const HIGHEST_SQL_STEP = 115;

/** SQL for the step of a duration in ms. Its steps are those of `latencyStep`, continued to 15 days. */
export function latencyStepSql(ms: string): string {
  return `least(greatest(ceil(ln(greatest(${ms}, ${FINEST_MS})::float8) / ln(${RATIO}::float8)), 0), ${HIGHEST_SQL_STEP})::int`;
}

/** Number of latencies in a step. */
export interface StepCount {
  step: number;
  count: number;
}

/** The latency in ms that `share` (0 to 1) of the counted requests do not exceed; null without counts. */
export function percentileOf(counts: readonly StepCount[], share: number): number | null {
  const steps = counts.toSorted((left, right) => left.step - right.step);
  const total = steps.reduce((sum, { count }) => sum + count, 0);
  let counted = 0;
  for (const { step, count } of steps) {
    counted += count;
    if (count > 0 && counted >= share * total) return midpointOf(step);
  }
  return null;
}

function midpointOf(step: number): number {
  return step === 0 ? FINEST_MS : (FINEST_MS * RATIO ** step) / Math.sqrt(RATIO);
}
