import "server-only";
import type { Sql } from "@/lib/platform/database/db";
import { plannedStatement } from "@/lib/platform/database/statement";
import { closeRequestLog } from "@/lib/request-log/store/request-log-lock";

const HAS_BODY = "(r.request_body is not null or r.response_body is not null)";

/** SQL that empties the rows whose ids `ids` selects. An array keeps the plan on the primary key. */
function emptySql(ids: string): string {
  return `update api_requests r set request_body = null, response_body = null
  where r.account_id = :accountId and r.id = any(array(${ids}))`;
}

/**
 * The requests that created these messages, among those of the same 4.1 seconds: ids begin with their time. The lateral
 * with `offset 0` keeps the plan on ranges of the primary key.
 */
const EMPTY_CREATING = plannedStatement(
  "empty-creating-requests",
  emptySql(`
    select r.id from (select distinct left(id::text, 10) as block from unnest(:messageIds::uuid[]) as m(id)) b
    cross join lateral (
      select r.id from api_requests r
      where r.account_id = :accountId and r.message_ids && :messageIds::uuid[] and ${HAS_BODY}
        and r.id between (b.block || '000-0000-0000-000000000000')::uuid
          and (b.block || 'fff-ffff-ffff-ffffffffffff')::uuid
      offset 0) r`),
);

/**
 * All others, by the condition of `api_requests_message_ids_idx`, which few rows meet. Looked up message by message,
 * because PostgreSQL expects many rows of a long list and would read the whole table.
 */
const EMPTY_OTHER = plannedStatement(
  "empty-other-requests",
  emptySql(`
    select r.id from unnest(:messageIds::uuid[]) as m(id) cross join lateral (
      select r.id from api_requests r
      where r.account_id = :accountId and r.message_ids @> array[m.id] and ${HAS_BODY}
        and (cardinality(r.message_ids) > 1 or left(r.message_ids[1]::text, 10) <> left(r.id::text, 10))
      offset 0) r`),
);

/**
 * Empties the bodies of logged requests with the content of these messages; the rest of each row stays. When the
 * messages are marked deleted in the same transaction, no such body is written afterwards.
 */
export async function redactRequestBodies(
  tx: Sql,
  accountId: string,
  messageIds: readonly string[],
): Promise<void> {
  await closeRequestLog(tx, accountId);
  // Separate statements, so that their snapshots start after the last writer has finished.
  await tx.run(EMPTY_CREATING, { accountId, messageIds });
  await tx.run(EMPTY_OTHER, { accountId, messageIds });
}
