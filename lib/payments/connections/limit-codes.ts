import "server-only";
import { HOUR_MS } from "@/lib/payments/connections/one-time-code";
import type { Context } from "@/lib/platform/context";
import type { Sql } from "@/lib/platform/database/db";
import { plannedStatement, statement } from "@/lib/platform/database/statement";
import { env } from "@/lib/platform/env";
import { fail, failRateLimited } from "@/lib/platform/errors/errors";

const COUNT_ONE_TIME_CODE = statement(
  "count-one-time-code",
  `insert into one_time_code_windows as w (account_id, codes_sent, started_at) values (:accountId, 1, :now)
  on conflict (account_id) do update
  set codes_sent = case when w.started_at > :hourAgo then w.codes_sent + 1 else 1 end,
    started_at = case when w.started_at > :hourAgo then w.started_at else excluded.started_at end
  where w.started_at <= :hourAgo or w.codes_sent < :codesperhour
  returning 1`,
);

const FIND_CODE_WINDOW = plannedStatement(
  "find-code-window",
  "select started_at from one_time_code_windows where account_id = :accountId",
);

/**
 * Counts a one-time code against the account's CODES_PER_HOUR, in the transaction that sends it. Every code has a small
 * probability of being guessed, so the number of codes per hour is limited across handles too. Errors: rate_limited.
 */
export async function countCode(tx: Sql, ctx: Context): Promise<void> {
  const hourAgo = new Date(ctx.now.getTime() - HOUR_MS);
  const counted = await tx.run(COUNT_ONE_TIME_CODE, {
    accountId: ctx.account.id,
    now: ctx.now,
    hourAgo,
    codesperhour: env().CODES_PER_HOUR,
  });
  if (counted.length > 0) return;
  const [window] = await tx.run(FIND_CODE_WINDOW, { accountId: ctx.account.id });
  if (window === undefined) fail("internal");
  failRateLimited(Math.max(1, Math.ceil((window.started_at.getTime() + HOUR_MS - ctx.now.getTime()) / 1000)));
}
