import "server-only";
import type { ErasedContent } from "@/lib/messaging/expiry/content-copies";
import type { Sql } from "@/lib/platform/database/db";
import { plannedStatement } from "@/lib/platform/database/statement";

const ERASE_SNAPSHOTS = plannedStatement(
  "erase-snapshots",
  "delete from simulator_snapshots where account_id = :accountId and (:hasMessages or created_at <= :before)",
);

/**
 * Deletes the snapshots of an account that may contain erased content: all of them when messages are erased, otherwise
 * those from before `before`.
 */
export async function eraseSnapshots(
  tx: Sql,
  { accountId, messageIds, before }: ErasedContent,
): Promise<void> {
  await tx.run(ERASE_SNAPSHOTS, { accountId, hasMessages: messageIds.length > 0, before });
}
