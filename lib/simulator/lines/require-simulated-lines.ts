import "server-only";
import type { Sql } from "@/lib/platform/database/db";
import { fail } from "@/lib/platform/errors/errors";

/** Checks that no line of the account sends over a real network. Errors: feature_not_available. */
export async function requireSimulatedLines(on: Sql, accountId: string): Promise<void> {
  const others = await on.query({
    text: "select from lines where account_id = $1 and released_at is null and transport <> 'simulator' limit 1",
    values: [accountId],
  });
  if (others.length > 0) fail("feature_not_available", "the account has a line that is not simulated");
}
