import "server-only";
import type { Context } from "@/lib/platform/context";
import { sql } from "@/lib/platform/database/db";
import { DEADLOCK, hasSqlState } from "@/lib/platform/database/has-sql-state";
import { plannedStatement } from "@/lib/platform/database/statement";
import { ApiError } from "@/lib/platform/errors/errors";
import { now } from "@/lib/platform/time/clock";

const FOREIGN_KEY_VIOLATION = "23503";
const UNIQUE_VIOLATION = "23505";
/** A reset waits up to ten seconds for running work, and then replaces at most a snapshot's rows. */
const RECENT_SECONDS = 60;

/**
 * Returns the response to a request whose rows were replaced while it ran, because the sandbox account was reset or a
 * snapshot restored: 503/4004 with Retry-After. Nothing was stored. Any other error is returned unchanged.
 */
export async function explainReset(
  thrown: unknown,
  account: Context["account"] | undefined,
): Promise<unknown> {
  if (account?.type !== "sandbox" || !isConflict(thrown)) return thrown;
  const wasReset = await isLatelyReset(account.id).catch(() => false);
  if (!wasReset) return thrown;
  return new ApiError(
    "service_unavailable",
    "the state of the account was replaced during this request: nothing was stored, retry",
  );
}

function isConflict(thrown: unknown): boolean {
  if (thrown instanceof ApiError) return false;
  const states = [FOREIGN_KEY_VIOLATION, UNIQUE_VIOLATION, DEADLOCK];
  return (
    states.some((state) => hasSqlState(thrown, state)) ||
    (thrown instanceof Error && /vanished/.test(thrown.message))
  );
}

const IS_LATELY_RESET = plannedStatement(
  "is-lately-reset",
  `select exists (
  select from (select action, created_at from audit_entries where account_id = :accountId order by id desc limit 50) e
  where e.action in ('account.reset', 'simulator_snapshot.restored')
    and e.created_at > :now::timestamptz - interval '${RECENT_SECONDS} seconds') as found`,
);

// A request conflicts with a reset only once the reset has committed, and the audit entry with it.
async function isLatelyReset(accountId: string): Promise<boolean> {
  const [row] = await sql.run(IS_LATELY_RESET, { accountId, now: now() });
  return row?.found === true;
}
