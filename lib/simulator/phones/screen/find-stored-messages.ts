import "server-only";
import { findParticipantsOfChats } from "@/lib/messaging/chats/find-participants";
import { MESSAGE_COLUMNS, toMessage } from "@/lib/messaging/messages/message";
import { type MessageView, toMessageViews } from "@/lib/messaging/messages/message-view";
import type { Context } from "@/lib/platform/context";
import { sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";

const PHONE_SCREEN_STORED = statement(
  "phone-screen-stored",
  `select ${MESSAGE_COLUMNS} from messages m
  where m.account_id = :accountId and m.id = any(:ids::uuid[]) and m.deleted_at is null`,
);

/** Returns messages of the account by id, as the dashboard's timeline shows them. */
export async function findStoredMessages(
  ctx: Context,
  ids: readonly string[],
): Promise<Map<string, MessageView>> {
  if (ids.length === 0) return new Map();
  const rows = await sql.run(PHONE_SCREEN_STORED, { accountId: ctx.account.id, ids });
  const chatIds = [...new Set(rows.map(({ chat_id }) => chat_id))];
  const handles = await findParticipantsOfChats(ctx.account.id, chatIds);
  const shown = await toMessageViews(
    ctx,
    rows.map((row) => toMessage(row, handles)),
  );
  return new Map(shown.map((message) => [message.id, message]));
}
