import "server-only";
import { transaction } from "@/lib/platform/db";

/**
 * Records that a line's transport went down or came back. While it is down, the line's pending messages are `queued`;
 * they are sent in order when it is up again (contract.md 0).
 */
export async function setLineUp(accountId: string, lineId: string, isUp: boolean): Promise<void> {
  await transaction(async (tx) => {
    await tx.query({
      text: "update lines set is_up = $3 where account_id = $1 and id = $2",
      values: [accountId, lineId, isUp],
    });
    if (!isUp) {
      await tx.query({
        text: `update messages set delivery_status = 'queued'
               where account_id = $1 and line_id = $2 and dispatch_at is not null and dispatch_lease_until is null
                 and delivery_status = 'pending'`,
        values: [accountId, lineId],
      });
    }
    tx.wake("messages");
    tx.wake("actions");
  });
}
