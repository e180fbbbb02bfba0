import "server-only";
import type { Sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";

const REMOVE_MESSAGES_FROM_SEARCH = statement(
  "remove-messages-from-search",
  "delete from message_search where account_id = :accountId and message_id = any(:messageIds::uuid[])",
);

/** Removes messages from the search. The transaction holds the account's progress (search-progress.ts). */
export async function removeMessages(
  tx: Sql,
  accountId: string,
  messageIds: readonly string[],
): Promise<void> {
  await tx.run(REMOVE_MESSAGES_FROM_SEARCH, { accountId, messageIds });
}
