import "server-only";
import { z } from "zod";
import { DeliveryStatus } from "@/lib/messaging/messages/message";
import type { Context } from "@/lib/platform/context";
import { sql } from "@/lib/platform/database/db";
import { type RowOf, statement } from "@/lib/platform/database/statement";
import { redactWalletLinks } from "@/lib/platform/rights/redact-wallet-links";

const MAX_TEXT = 200;

/** The newest message of a chat, as shown in lists. */
export const LastMessage = z.object({
  id: z.uuid(),
  text: z.string(),
  is_from_me: z.boolean(),
  delivery_status: DeliveryStatus,
  created_at: z.iso.datetime(),
});

const MAX_UNREAD = 100;

/** The newest message and the unread count of a chat, as shown in lists. */
export interface ChatEnd {
  lastMessage: LastMessage;
  /** Inbound messages since the chat was marked read or the account last wrote. 100 means 100 or more. */
  unread: number;
}

export type LastMessage = z.infer<typeof LastMessage>;

// The newest messages first: PostgreSQL stops reading them at the first one that the account sent.
function newestOf(chatId: string): string {
  return `select m.position, m.is_from_me from messages m
    where m.account_id = :accountId and m.chat_id = ${chatId} and m.deleted_at is null
    order by m.position desc limit ${MAX_UNREAD}`;
}

const LAST_MESSAGES = statement(
  "last-messages",
  `select m.*, unread.count as unread
  from unnest(:chatIds::uuid[]) as chat(id) cross join lateral (
    select m.id, m.chat_id, case m.kind
      when 'poll' then 'Poll' when 'voice_memo' then 'Voice memo'
      else left(coalesce(m.parts->0->>'value', m.parts->0->>'filename', nullif(m.parts->0->'layout'->>'caption', ''),
        m.parts->0->>'fallback_text'), ${MAX_TEXT}) end as text, m.parts->0->>'type' as kind,
      m.is_from_me, m.delivery_status, m.created_at
    from messages m
    where m.account_id = :accountId and m.chat_id = chat.id and m.deleted_at is null
    order by m.position desc limit 1
  ) m cross join lateral (
    select count(*)::int as count from (
      select from messages m
      where m.account_id = :accountId and m.chat_id = chat.id and m.deleted_at is null and m.position > greatest(
        (select n.position from (${newestOf("chat.id")}) n where n.is_from_me order by n.position desc limit 1),
        (select r.position from chats c join messages r on r.account_id = c.account_id and r.id = c.read_up_to
          where c.account_id = :accountId and c.id = chat.id), 0)
      order by m.position desc limit ${MAX_UNREAD}
    ) newer
  ) unread`,
);

/** Returns the newest message and the unread count of each chat, by chat id. Chats without messages are omitted. */
export async function selectChatEnds(
  ctx: Context,
  chatIds: readonly string[],
): Promise<Map<string, ChatEnd>> {
  if (chatIds.length === 0) return new Map();
  const rows = await sql.run(LAST_MESSAGES, { accountId: ctx.account.id, chatIds });
  return new Map(rows.map((row) => [row.chat_id, { lastMessage: toLastMessage(row), unread: row.unread }]));
}

function toLastMessage(row: RowOf<"last-messages">): LastMessage {
  return {
    id: row.id,
    text: redactWalletLinks(row.text ?? row.kind ?? ""),
    is_from_me: row.is_from_me,
    delivery_status: row.delivery_status,
    created_at: row.created_at.toISOString(),
  };
}
