import "server-only";
import type { Sql } from "@/lib/platform/db";

/**
 * Holds a chat until the transaction ends. Everything that changes a chat and who is in it does so first: in another
 * order two would wait for each other.
 */
export async function lockChat(
  tx: Sql,
  { accountId, chatId }: { accountId: string; chatId: string },
): Promise<void> {
  await tx.query({
    name: "lock-chat",
    text: "select id from chats where account_id = $1 and id = $2 for no key update",
    values: [accountId, chatId],
  });
}
