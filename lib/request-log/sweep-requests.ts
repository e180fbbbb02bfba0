import "server-only";
import { now } from "@/lib/platform/clock";
import { sql } from "@/lib/platform/db";
import { env } from "@/lib/platform/env";
import { firstIdAt } from "@/lib/platform/ids";

const BATCH_ROWS = 1000;
const DAY_MS = 86_400_000;

// Reads account by account, because the primary key starts with it, and within one the oldest ids first.
const SWEEP = `with recursive account as (
    (select account_id as id from api_requests order by account_id limit 1)
    union all
    select (select r.account_id from api_requests r where r.account_id > a.id order by r.account_id limit 1)
    from account a where a.id is not null
  ), due as (
    select old.account_id, old.id from account a cross join lateral (
      select r.account_id, r.id from api_requests r where r.account_id = a.id and r.id < $1 order by r.id limit $2
    ) old limit $2
  ), swept as (
    delete from api_requests r using due where r.account_id = due.account_id and r.id = due.id returning 1
  )
  select count(*)::int as count from swept`;

/**
 * Deletes logged requests older than REQUEST_LOG_DAYS, in short statements, until none is left or `stop` is aborted.
 */
export async function sweepRequests(stop: AbortSignal): Promise<number> {
  const oldest = firstIdAt(now().getTime() - env().REQUEST_LOG_DAYS * DAY_MS);
  let swept = 0;
  while (!stop.aborted) {
    const [row] = await sql.query<{ count: number }>({ text: SWEEP, values: [oldest, BATCH_ROWS] });
    swept += row?.count ?? 0;
    if ((row?.count ?? 0) < BATCH_ROWS) break;
  }
  return swept;
}
