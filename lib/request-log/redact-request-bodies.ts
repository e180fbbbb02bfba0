import "server-only";
import type { Sql } from "@/lib/platform/db";
import { closeRequestLog } from "@/lib/request-log/request-log-lock";

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
  // A separate statement, so that its snapshot starts after the last writer has finished.
  await tx.query({
    text: `update api_requests r set request_body = null, response_body = null
           from (select distinct chat_id from messages where account_id = $1 and id = any($2::uuid[])) m
           where r.account_id = $1 and r.chat_id = m.chat_id and r.message_ids && $2::uuid[]
             and (r.request_body is not null or r.response_body is not null)`,
    values: [accountId, messageIds],
  });
}
