import "server-only";
import type { Sql } from "@/lib/platform/database/db";

/**
 * Locks a chat until the transaction ends. Every change of a chat or its participants takes this lock first, so two
 * transactions can't deadlock.
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
