import "server-only";
import { sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { failRateLimited } from "@/lib/platform/errors/errors";

const REST_SECONDS = 10;

const ACQUIRE_CHECK_SLOT = statement(
  "acquire-check-slot",
  `insert into capability_checks as last (account_id, checked_at) values (:accountId, :checkedAt)
  on conflict (account_id) do update set checked_at = excluded.checked_at
    where last.checked_at <= excluded.checked_at - interval '${REST_SECONDS} seconds'
      or last.checked_at > excluded.checked_at + interval '${REST_SECONDS} seconds'
  returning account_id`,
);

const LAST_CAPABILITY_CHECK = statement(
  "last-capability-check",
  "select checked_at from capability_checks where account_id = :accountId",
);

/**
 * Lets an account check one handle per 10 seconds across all instances (docs/contract.md, section 3.3). Errors:
 * rate_limited, with the remaining time.
 */
export async function acquireCheckSlot(accountId: string, at: Date): Promise<void> {
  const taken = await sql.run(ACQUIRE_CHECK_SLOT, { accountId, checkedAt: at });
  if (taken.length > 0) return;

  const [last] = await sql.run(LAST_CAPABILITY_CHECK, { accountId });
  const sinceMs = at.getTime() - (last?.checked_at ?? at).getTime();
  failRateLimited(Math.max(1, Math.ceil(REST_SECONDS - sinceMs / 1000)));
}
