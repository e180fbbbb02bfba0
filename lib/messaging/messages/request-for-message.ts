import "server-only";
import type { ActionRequest } from "@/lib/messaging/actions/action-kind";
import type { ClaimedAction } from "@/lib/messaging/actions/claim-actions";
import { plainRefSql } from "@/lib/messaging/messages/vendor-ref";
import { sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";

const FIND_MESSAGE_REF = statement(
  "find-message-ref",
  `select m.delivery_status, (
    select ${plainRefSql("r.ref")} from transport_refs r
    where r.account_id = m.account_id and r.message_id = m.id order by r.ref limit 1) as ref
  from messages m where m.account_id = :accountId and m.id = :messageId and m.deleted_at is null`,
);

/**
 * Returns the message's transport reference for an action on it: `later` while the message has not been sent,
 * `nothing` when it never will be or was deleted.
 */
export async function requestForMessage(
  action: ClaimedAction,
  build: (ref: string) => ActionRequest | Promise<ActionRequest>,
): Promise<ActionRequest> {
  const [message] = await sql.run(FIND_MESSAGE_REF, {
    accountId: action.account_id,
    messageId: action.message_id,
  });
  if (message === undefined || message.delivery_status === "failed") return "nothing";
  return message.ref === null ? "later" : build(message.ref);
}
