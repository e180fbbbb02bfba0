import "server-only";
import type { Sql } from "@/lib/platform/db";
import { closeRequestLog } from "@/lib/request-log/request-log-lock";

const EMPTY = `update api_requests r set request_body = null, response_body = null`;
const HAS_CONTENT = `r.message_ids && $2::uuid[] and (r.request_body is not null or r.response_body is not null)`;

/**
 * The requests that created these messages, among those of the same 4.1 seconds: ids begin with their time. The lateral
 * with `offset 0` keeps the plan on ranges of the primary key.
 */
const CREATING = `with blocks as (
    select distinct left(id::text, 10) as block from unnest($2::uuid[]) as m(id)
  ), found as materialized (
    select r.id from blocks b cross join lateral (
      select r.id from api_requests r
      where r.account_id = $1 and ${HAS_CONTENT} and r.id between (b.block || '000-0000-0000-000000000000')::uuid
        and (b.block || 'fff-ffff-ffff-ffffffffffff')::uuid
      offset 0) r
  )
  ${EMPTY} from found where r.account_id = $1 and r.id = found.id`;

/** All others, by the condition of `api_requests_message_ids_idx`. */
const OTHER = `${EMPTY}
  where r.account_id = $1 and ${HAS_CONTENT}
    and (cardinality(r.message_ids) > 1 or left(r.message_ids[1]::text, 10) <> left(r.id::text, 10))`;

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
  for (const text of [CREATING, OTHER]) await tx.query({ text, values: [accountId, messageIds] });
}
