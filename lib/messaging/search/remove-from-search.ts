import "server-only";
import { removeMessages } from "@/lib/messaging/search/store/remove-messages";
import { beginSearchProgress } from "@/lib/messaging/search/store/search-progress";
import type { Sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";

const HOLD_SEARCH_PROGRESS = statement(
  "hold-search-progress",
  "select 1 as one from message_search_progress where account_id = :accountId for share",
);

/**
 * Removes erased messages from the search. Call it in the transaction that marks the messages deleted, after that
 * update. The job that adds messages has either ended its step, whose rows are removed here, or waits until this
 * transaction has ended and then finds the messages deleted.
 */
export async function removeFromSearch(
  tx: Sql,
  accountId: string,
  messageIds: readonly string[],
): Promise<void> {
  await beginSearchProgress(tx, accountId);
  await tx.run(HOLD_SEARCH_PROGRESS, { accountId });
  await removeMessages(tx, accountId, messageIds);
}
