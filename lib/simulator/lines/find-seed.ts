import "server-only";
import type { Sql } from "@/lib/platform/database/db";

/** The seed of what the simulator chooses in an account; null = random. */
export async function findSeed(on: Sql, accountId: string): Promise<string | null> {
  const [row] = await on.query<{ seed: string | null }>({
    text: "select seed from simulator_accounts where account_id = $1",
    values: [accountId],
  });
  return row?.seed ?? null;
}
