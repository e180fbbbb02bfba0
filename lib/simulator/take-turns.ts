import "server-only";
import { poolSizes, type Sql, transaction } from "@/lib/platform/db";
import { FairSlots } from "@/lib/platform/fair-slots";

const MAX_WAITING_PER_ACCOUNT = 100;

const shared = globalThis as typeof globalThis & { trunklineSimulatorTurns?: FairSlots };

/**
 * Runs a transaction of the simulator that waits for a lock of the account or of the instance: of one account one at a time,
 * and never on a connection of the hot pool. Requests that wait for their turn hold no connection. Errors: rate_limited if
 * too many requests of the account wait.
 */
export function takeTurns<Result>(accountId: string, work: (tx: Sql) => Promise<Result>): Promise<Result> {
  shared.trunklineSimulatorTurns ??= new FairSlots({
    // The rest of the pool is for sign-ins and lists.
    total: Math.max(1, Math.floor(poolSizes().cool / 2)),
    perOwner: 1,
    waitingPerOwner: MAX_WAITING_PER_ACCOUNT,
  });
  return shared.trunklineSimulatorTurns.run(accountId, () => transaction(work, { isCool: true }));
}
