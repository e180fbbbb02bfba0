import "server-only";

interface Rounds<Due> {
  /** The accounts that have something to count. */
  findDue: () => Promise<Due[]>;
  /** Counts a limited number of events of an account. Returns whether it has counted some. */
  countStep: (account: Due) => Promise<boolean>;
  /** Maximum steps of each account. */
  maxRounds?: number;
  stop: AbortSignal;
}

/**
 * Runs a step of each due account in turn, until none has counted any or `stop` is aborted. An account whose step fails
 * does not end the others. Returns the number of steps that counted. Throws an AggregateError at the end if steps failed.
 */
export async function countInRounds<Due extends { id: string }>({
  findDue,
  countStep,
  maxRounds = Number.POSITIVE_INFINITY,
  stop,
}: Rounds<Due>): Promise<number> {
  const failures: unknown[] = [];
  let steps = 0;
  let due = await findDue();
  for (let round = 1; due.length > 0; round++) {
    const advanced = new Set<string>();
    for (const account of due) {
      if (stop.aborted) break;
      try {
        if (await countStep(account)) advanced.add(account.id);
      } catch (error) {
        failures.push(error);
      }
    }
    steps += advanced.size;
    if (advanced.size === 0 || round >= maxRounds || stop.aborted) break;
    due = (await findDue()).filter(({ id }) => advanced.has(id));
  }
  if (failures.length > 0)
    throw new AggregateError(failures, "the activity of some accounts was not counted");
  return steps;
}
