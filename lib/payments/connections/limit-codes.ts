import "server-only";
import { HOUR_MS } from "@/lib/payments/connections/one-time-code";
import type { Context } from "@/lib/platform/context";
import type { Sql } from "@/lib/platform/database/db";
import { env } from "@/lib/platform/env";
import { fail, failRateLimited } from "@/lib/platform/errors/errors";

/**
 * Counts a one-time code against the account's CODES_PER_HOUR, in the transaction that sends it. Every code has a small
 * probability of being guessed, so the number of codes per hour is limited across handles too. Errors: rate_limited.
 */
export async function countCode(tx: Sql, ctx: Context): Promise<void> {
  const hourAgo = new Date(ctx.now.getTime() - HOUR_MS);
  const counted = await tx.query({
    name: "count-one-time-code",
    text: `insert into one_time_code_windows as w (account_id, codes_sent, started_at) values ($1, 1, $2)
           on conflict (account_id) do update
           set codes_sent = case when w.started_at > $3 then w.codes_sent + 1 else 1 end,
             started_at = case when w.started_at > $3 then w.started_at else excluded.started_at end
           where w.started_at <= $3 or w.codes_sent < $4
           returning 1`,
    values: [ctx.account.id, ctx.now, hourAgo, env().CODES_PER_HOUR],
  });
  if (counted.length > 0) return;
  const [window] = await tx.query<{ started_at: Date }>({
    text: "select started_at from one_time_code_windows where account_id = $1",
    values: [ctx.account.id],
  });
  if (window === undefined) fail("internal");
  failRateLimited(Math.max(1, Math.ceil((window.started_at.getTime() + HOUR_MS - ctx.now.getTime()) / 1000)));
}
