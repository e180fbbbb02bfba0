import "server-only";
import type { Sql } from "@/lib/platform/database/db";
import { plannedStatement } from "@/lib/platform/database/statement";
import { fail } from "@/lib/platform/errors/errors";

const FIND_NON_SIMULATED_LINE = plannedStatement(
  "find-non-simulated-line",
  "select from lines where account_id = :accountId and released_at is null and transport <> 'simulator' limit 1",
);

/** Checks that no line of the account sends over a real network. Errors: feature_not_available. */
export async function requireSimulatedLines(on: Sql, accountId: string): Promise<void> {
  const others = await on.run(FIND_NON_SIMULATED_LINE, { accountId });
  if (others.length > 0) fail("feature_not_available", "the account has a line that is not simulated");
}
