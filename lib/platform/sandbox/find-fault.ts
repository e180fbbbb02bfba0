import "server-only";
import { sql } from "@/lib/platform/database/db";
import { plannedStatement, statement } from "@/lib/platform/database/statement";
import { onWake } from "@/lib/platform/database/wake";
import {
  actsOn,
  type FaultEffect,
  type FaultMatch,
  type InjectedFault,
  isInPeriod,
} from "@/lib/platform/sandbox/injected-fault";
import { log } from "@/lib/platform/telemetry/log";
import { now } from "@/lib/platform/time/clock";

/** The faults of every account that has any, in their order. Kept in memory, so an account without faults pays nothing. */
const shared = globalThis as typeof globalThis & { trunklineFaults?: Map<string, InjectedFault[]> };

const NONE: readonly InjectedFault[] = [];

/** Whether an account has faults. Reads memory only. */
export function hasFaults(accountId: string): boolean {
  return shared.trunklineFaults?.has(accountId) === true;
}

const LOAD_FAULTS = plannedStatement(
  "load-faults",
  "select account_id, id, match, effect, condition from simulator_faults order by account_id, position, id",
);

/** Reads the faults of all accounts into this process. */
export async function loadFaults(): Promise<void> {
  const rows = await sql.run(LOAD_FAULTS);
  const faults = rows.map(({ account_id: accountId, ...fault }): InjectedFault => ({ accountId, ...fault }));
  shared.trunklineFaults = Map.groupBy(faults, ({ accountId }) => accountId);
}

/** Keeps this process's faults up to date. Returns a function that stops this. */
export async function followFaults(): Promise<() => Promise<void>> {
  // The listener starts before the first read, so no change is missed.
  const unsubscribe = onWake("faults", () => {
    loadFaults().catch((error: unknown) => log.error({ err: error }, "injected faults could not be read"));
  });
  await loadFaults();
  return async () => unsubscribe();
}

const APPLY_FAULT = statement(
  "apply-fault",
  "update simulator_faults set applied = applied + 1 where account_id = :accountId and id = :faultId",
);

/**
 * Returns the effect of the first fault of the account that acts on something, or null. `matches` decides whether a
 * fault is about it. Counts the matches in the database, so that processes count together.
 */
export async function findFault(
  accountId: string,
  matches: (match: FaultMatch) => boolean,
): Promise<FaultEffect | null> {
  const faults = shared.trunklineFaults?.get(accountId) ?? NONE;
  for (const fault of faults) {
    if (!matches(fault.match) || !isInPeriod(fault.condition, now())) continue;
    const count = await countMatch(fault);
    if (count === null || !actsOn(fault, count)) continue;
    await sql.run(APPLY_FAULT, { accountId, faultId: fault.id });
    return fault.effect;
  }
  return null;
}

const MATCH_FAULT = statement(
  "match-fault",
  "update simulator_faults set matched = matched + 1 where account_id = :accountId and id = :id returning matched",
);

/** Returns the number of this match; null when the fault was removed. */
async function countMatch({ accountId, id }: InjectedFault): Promise<number | null> {
  const [row] = await sql.run(MATCH_FAULT, { accountId, id });
  return row === undefined ? null : Number(row.matched);
}
