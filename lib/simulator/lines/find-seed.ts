import "server-only";
import type { Sql } from "@/lib/platform/database/db";
import { plannedStatement } from "@/lib/platform/database/statement";

const FIND_SIMULATOR_SEED = plannedStatement(
  "find-simulator-seed",
  "select seed from simulator_accounts where account_id = :accountId",
);

/** The seed of what the simulator chooses in an account; null = random. */
export async function findSeed(on: Sql, accountId: string): Promise<string | null> {
  const [row] = await on.run(FIND_SIMULATOR_SEED, { accountId });
  return row?.seed ?? null;
}
