import "server-only";
import type { Sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";

const LOCK_CHAT = statement(
  "lock-chat",
  "select id from chats where account_id = :accountId and id = :chatId for no key update",
);

/**
 * Locks a chat until the transaction ends. Every change of a chat or its participants takes this lock first, so two
 * transactions can't deadlock.
 */
export async function lockChat(
  tx: Sql,
  { accountId, chatId }: { accountId: string; chatId: string },
): Promise<void> {
  await tx.run(LOCK_CHAT, { accountId, chatId });
}
