import "server-only";
import { findParticipantsOfChats } from "@/lib/messaging/chats/find-participants";
import { MESSAGE_COLUMNS, type MessageRow, toMessage } from "@/lib/messaging/messages/message";
import { type TimelineMessage, toTimeline } from "@/lib/messaging/messages/timeline-message";
import type { Context } from "@/lib/platform/context";
import { sql } from "@/lib/platform/database/db";

/** Returns messages of the account by id, as the dashboard's timeline shows them. */
export async function findStoredMessages(
  ctx: Context,
  ids: readonly string[],
): Promise<Map<string, TimelineMessage>> {
  if (ids.length === 0) return new Map();
  const rows = await sql.query<MessageRow>({
    name: "phone-screen-stored",
    text: `select ${MESSAGE_COLUMNS} from messages m
           where m.account_id = $1 and m.id = any($2::uuid[]) and m.deleted_at is null`,
    values: [ctx.account.id, ids],
  });
  const chatIds = [...new Set(rows.map(({ chat_id }) => chat_id))];
  const handles = await findParticipantsOfChats(ctx.account.id, chatIds);
  const shown = await toTimeline(
    ctx,
    rows.map((row) => toMessage(row, handles)),
  );
  return new Map(shown.map((message) => [message.id, message]));
}
