import "server-only";
import type { Context } from "@/lib/platform/context";
import type { Sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";

/** What the writer of a message had seen: up to a message of the chat (null: an empty one), or all up to a time. */
type Seen = { lastMessageId: string | null } | { writtenAt: Date };

const KEEP_UNREAD = statement(
  "keep-unread",
  `update messages m set leaves_unread = true
  from (
    select i.position, i.created_at from messages i
    where i.account_id = :accountId and i.chat_id = :chatId and not i.is_from_me and i.deleted_at is null
    order by i.position desc limit 1
  ) newest
  where m.account_id = :accountId and m.id = :messageId and case
    when :writtenAt::timestamptz is null then newest.position > coalesce((
      select s.position from messages s
      where s.account_id = :accountId and s.id = :lastMessageId::uuid and s.chat_id = :chatId), 0)
    else newest.created_at > :writtenAt end`,
);

/**
 * A message that was accepted later than it was written, in the transaction that accepts it: if the customer has written
 * meanwhile, the chat stays unread and needs a reply when the message is sent.
 */
export async function keepUnread(
  tx: Sql,
  ctx: Context,
  { chatId, messageId }: { chatId: string; messageId: string },
  seen: Seen,
): Promise<void> {
  const accountId = ctx.account.id;
  const { lastMessageId, writtenAt } = { lastMessageId: null, writtenAt: null, ...seen };
  await tx.run(KEEP_UNREAD, { accountId, chatId, messageId, lastMessageId, writtenAt });
}
