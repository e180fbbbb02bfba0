import "server-only";
import { setTimeout as sleep } from "node:timers/promises";

interface Pace {
  /** The pause after each batch, as a multiple of the time that the batch took. */
  rest: number;
  stop: AbortSignal;
}

/** For rows that may be deleted a little later: the traffic gets most of PostgreSQL's time. */
export const SWEEP_REST = 2;
/** For content, which must be erased in time on a busy machine too. */
export const ERASE_REST = 0.5;

/**
 * Runs short batches of a long work until one returns false, which means that nothing is left, or until `stop` is
 * aborted. Rests after each batch, because messages would otherwise wait while many rows are erased or deleted. Returns
 * whether all work was done.
 */
export async function runInBatches(batch: () => Promise<boolean>, { rest, stop }: Pace): Promise<boolean> {
  while (!stop.aborted) {
    const from = performance.now();
    if (!(await batch())) return true;
    await sleep((performance.now() - from) * rest, undefined, { signal: stop }).catch(() => undefined);
  }
  return false;
}
