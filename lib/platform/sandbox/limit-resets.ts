import "server-only";
import { sql } from "@/lib/platform/database/db";
import { plannedStatement } from "@/lib/platform/database/statement";
import { onWake } from "@/lib/platform/database/wake";
import { env } from "@/lib/platform/env";
import { log } from "@/lib/platform/telemetry/log";

/** The id of the last reset of each sandbox account that reset its limits. Kept in memory, because every send reads it. */
const shared = globalThis as typeof globalThis & { trunklineLimitResets?: Map<string, string> };

/** The id of an account's last reset of its limits: objects with lower ids do not count. null = never reset. */
export function limitResetOf(accountId: string): string | null {
  return shared.trunklineLimitResets?.get(accountId) ?? null;
}

const LOAD_LIMIT_RESETS = plannedStatement(
  "load-limit-resets",
  "select account_id, limits_reset_id from simulator_accounts where limits_reset_id is not null",
);

/** Reads the resets of all accounts into this process. */
export async function loadLimitResets(): Promise<void> {
  const rows = await sql.run(LOAD_LIMIT_RESETS);
  shared.trunklineLimitResets = new Map(rows.map((row) => [row.account_id, row.limits_reset_id]));
}

/** Keeps this process's resets up to date. Returns a function that stops this. */
export async function followLimitResets(): Promise<() => Promise<void>> {
  // The listener starts before the first read, so no change is missed.
  const unsubscribe = onWake("limits", () => {
    loadLimitResets().catch((error: unknown) => log.error({ err: error }, "limit resets could not be read"));
  });
  await loadLimitResets();
  return async () => unsubscribe();
}

/** Says in the error of a reached limit how a sandbox account changes the limit; empty for other accounts. */
export function limitAdvice(accountType: string | undefined): string {
  if (accountType !== "sandbox" || !env().SIMULATOR) return "";
  return "; in a sandbox, set or reset the limit with PUT /simulator/limits";
}
