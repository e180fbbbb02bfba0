import "server-only";
import { sql } from "@/lib/platform/database/db";
import { plannedStatement, type RowOf } from "@/lib/platform/database/statement";

const MAX_NAMED = 3;

const READ_FOUND_MESSAGES = plannedStatement(
  "read-found-messages",
  `select m.id, m.chat_id, m.line_id, m.is_from_me, m.created_at, m.parts as "parts: StoredPart[]",
    (select p.handle from participants p where p.account_id = :accountId and p.id = m.sender_id) as "from",
    array(select o.text from poll_options o where o.account_id = :accountId and o.message_id = m.id order by o.id)
      as "options!",
    coalesce(nullif(c.display_name, ''), (
      select string_agg(coalesce(k.name, p.handle), ', ' order by p.id) from (
        select p.id, p.handle from participants p
        where p.account_id = :accountId and p.chat_id = c.id and not p.is_me order by p.id limit ${MAX_NAMED}
      ) p left join contacts k on k.account_id = :accountId and k.handle = p.handle), 'No other members') as "chat_name!"
  from messages m join chats c on c.account_id = :accountId and c.id = m.chat_id
  where m.account_id = :accountId and m.id = any(:ids::uuid[]) and m.deleted_at is null
  order by m.position desc`,
);

/** The messages of a page of results with what a result shows, newest first. */
export function readFoundMessages(
  accountId: string,
  ids: readonly string[],
): Promise<RowOf<"read-found-messages">[]> {
  return sql.run(READ_FOUND_MESSAGES, { accountId, ids });
}
