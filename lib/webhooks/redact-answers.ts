import "server-only";
import type { Sql } from "@/lib/platform/db";

/** Deletes the responses of receivers to events of these messages, because a response may echo the content. */
export async function redactAnswers(
  tx: Sql,
  accountId: string,
  messageIds: readonly string[],
): Promise<void> {
  await tx.query({
    text: `update webhook_attempts t set response_body = null
           from events e join webhook_deliveries d on d.account_id = e.account_id and d.event_seq = e.seq
           where e.account_id = $1 and e.message_id = any($2::uuid[])
             and t.account_id = d.account_id and t.event_seq = d.event_seq and t.delivery_id = d.id
             and t.response_body <> ''`,
    values: [accountId, messageIds],
  });
}
