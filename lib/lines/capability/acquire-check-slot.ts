import "server-only";
import { sql } from "@/lib/platform/database/db";
import { failRateLimited } from "@/lib/platform/errors/errors";

const REST_SECONDS = 10;

/**
 * Lets an account check one handle per 10 seconds across all instances (contract.md 1.5). Errors: rate_limited, with
 * the remaining time.
 */
export async function acquireCheckSlot(accountId: string, at: Date): Promise<void> {
  const taken = await sql.query<{ account_id: string }>({
    name: "take-check-turn",
    // A time in the future was stored before the clock was set back. It does not delay a check.
    text: `insert into capability_checks as last (account_id, checked_at) values ($1, $2)
           on conflict (account_id) do update set checked_at = excluded.checked_at
             where last.checked_at <= excluded.checked_at - interval '${REST_SECONDS} seconds'
               or last.checked_at > excluded.checked_at + interval '${REST_SECONDS} seconds'
           returning account_id`,
    values: [accountId, at],
  });
  if (taken.length > 0) return;

  const [last] = await sql.query<{ checked_at: Date }>({
    name: "last-check",
    text: "select checked_at from capability_checks where account_id = $1",
    values: [accountId],
  });
  const sinceMs = at.getTime() - (last?.checked_at ?? at).getTime();
  failRateLimited(Math.max(1, Math.ceil(REST_SECONDS - sinceMs / 1000)));
}
