import "server-only";
import type { ErasedContent } from "@/lib/messaging/expiry/content-copies";
import type { Sql } from "@/lib/platform/database/db";

/**
 * Deletes the snapshots of an account that may contain erased content: all of them when messages are erased, otherwise
 * those from before `before`.
 */
export async function eraseSnapshots(
  tx: Sql,
  { accountId, messageIds, before }: ErasedContent,
): Promise<void> {
  await tx.query({
    text: "delete from simulator_snapshots where account_id = $1 and ($2 or created_at <= $3)",
    values: [accountId, messageIds.length > 0, before],
  });
}
