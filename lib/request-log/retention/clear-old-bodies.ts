import "server-only";
import { sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { ERASE_REST, runInBatches } from "@/lib/platform/tasks/run-in-batches";

const BATCH_ROWS = 1000;

const EMPTY = statement(
  "empty-old-bodies",
  `with seen as (
    select account_id, id from api_requests where account_id = :accountId and id > :after and id < :until order by id limit :batchrows
  ), emptied as (
    update api_requests r set request_body = null, response_body = null
    from seen where r.account_id = seen.account_id and r.id = seen.id and r.created_at <= :before
      and (r.request_body is not null or r.response_body is not null)
  )
  select count(*)::int as seen, (select id from seen order by id desc limit 1) as last from seen`,
);

/** The requests to empty: the range of their ids, and their latest response time `before`. */
interface OldRequests {
  accountId: string;
  after: string;
  until: string;
  before: Date;
}

/**
 * Empties the bodies of an account's old requests, including rejected ones, whose content belongs to no message. Runs
 * in short statements until none is left or `stop` is aborted.
 */
export async function clearOldBodies(old: OldRequests, stop: AbortSignal): Promise<void> {
  let after = old.after;
  const clearBatch = async () => {
    const [row] = await sql.run(EMPTY, {
      accountId: old.accountId,
      after,
      until: old.until,
      batchrows: BATCH_ROWS,
      before: old.before,
    });
    if (!row?.last || row.seen < BATCH_ROWS) return false;
    after = row.last;
    return true;
  };
  await runInBatches(clearBatch, { rest: ERASE_REST, stop });
}
