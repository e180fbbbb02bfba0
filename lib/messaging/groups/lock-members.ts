import "server-only";
import type { UsableChat } from "@/lib/messaging/chats/find-usable-chat";
import { lockChat } from "@/lib/messaging/chats/lock-chat";
import type { Members } from "@/lib/messaging/groups/member-rules";
import type { Context } from "@/lib/platform/context";
import type { Sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { fail } from "@/lib/platform/errors/errors";

const MEMBERS_TO_BE = statement(
  "members-to-be",
  `select c.left_at,
    array(select p.handle from participants p
      where p.account_id = c.account_id and p.chat_id = c.id and p.status = 'active') as active,
    coalesce((select jsonb_agg(jsonb_build_object('kind', a.kind, 'handle', a.payload->>'handle') order by a.position)
      from chat_actions a where a.account_id = c.account_id and a.chat_id = c.id
        and a.kind in ('add_participant', 'remove_participant')), '[]') as "queued: { kind: string; handle: string; }[]"
  from chats c where c.account_id = :accountId and c.id = :chatId`,
);

/**
 * Returns the members of a group once all queued changes are done. Until the transaction ends, no other request can
 * accept a change of them. Errors: chat_unavailable (the line has left in the meantime).
 */
export async function lockMembers(tx: Sql, ctx: Context, chat: UsableChat): Promise<Members> {
  await lockChat(tx, { accountId: ctx.account.id, chatId: chat.id });
  // A separate statement, because the one that waited for the lock would still see the earlier members.
  const [row] = await tx.run(MEMBERS_TO_BE, { accountId: ctx.account.id, chatId: chat.id });
  if (row === undefined || row.left_at !== null) fail("chat_unavailable", "this line has left the chat");

  const active = new Set(row.active);
  for (const { kind, handle } of row.queued) {
    if (kind === "add_participant") active.add(handle);
    else active.delete(handle);
  }
  return { active, ownHandle: chat.phone_number };
}
