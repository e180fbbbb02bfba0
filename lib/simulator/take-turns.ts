import "server-only";
import { poolSizes, type Sql, transaction } from "@/lib/platform/database/db";
import { FairSlots } from "@/lib/platform/tasks/fair-slots";

const MAX_WAITING_PER_ACCOUNT = 100;

interface Turns {
  ofAccounts: FairSlots;
  ofLocks: FairSlots;
  ofStates: FairSlots;
}

const shared = globalThis as typeof globalThis & { trunklineSimulatorTurns?: Turns };

/**
 * Runs a transaction of the simulator that only waits for a lock of the account or of the instance: of one account one at a
 * time, and never on a connection of the hot pool. Requests that wait for their turn hold no connection. Errors:
 * rate_limited if too many requests of the account wait.
 */
export function takeTurns<Result>(accountId: string, work: (tx: Sql) => Promise<Result>): Promise<Result> {
  return run(accountId, turns().ofLocks, work);
}

/**
 * Like `takeTurns`, for snapshots and resets. They wait for workers and rewrite an account, which takes seconds, so they
 * have turns of their own: one account's reset does not delay the faults and lines of others.
 */
export function takeStateTurns<Result>(
  accountId: string,
  work: (tx: Sql) => Promise<Result>,
): Promise<Result> {
  return run(accountId, turns().ofStates, work);
}

function run<Result>(
  accountId: string,
  kind: FairSlots,
  work: (tx: Sql) => Promise<Result>,
): Promise<Result> {
  const begin = () => transaction(work, { isCool: true });
  return turns().ofAccounts.run(accountId, () => kind.run(accountId, begin));
}

// Both kinds together take half of the cool pool, and the rest is for sign-ins and lists. With the default pool, whose cool
// part has two connections, each kind has one: sign-ins and lists then wait while a reset and another change both run.
function turns(): Turns {
  const total = Math.max(1, Math.floor(poolSizes().cool / 4));
  const kind = { total, perOwner: 1, waitingPerOwner: MAX_WAITING_PER_ACCOUNT };
  shared.trunklineSimulatorTurns ??= {
    ofAccounts: new FairSlots({ ...kind, total: Number.POSITIVE_INFINITY }),
    ofLocks: new FairSlots(kind),
    ofStates: new FairSlots(kind),
  };
  return shared.trunklineSimulatorTurns;
}
