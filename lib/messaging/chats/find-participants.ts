import "server-only";
import { type Sql, sql } from "@/lib/platform/database/db";
import { type RowOf, statement } from "@/lib/platform/database/statement";
import { type ChatHandle, toChatHandle } from "@/lib/recipients/handles/chat-handle";

type Row = RowOf<"find-participants">;

const PARTICIPANTS = `select p.id, p.handle, p.is_me, p.service, p.status, p.joined_at, p.left_at, c.line_type
  from chats c join participants p on p.account_id = c.account_id and p.chat_id = c.id`;

const FIND_PARTICIPANTS = statement(
  "find-participants",
  `${PARTICIPANTS} where c.account_id = :accountId and c.id = :chatId`,
);

/** All current and former participants of a chat, by participant id. Empty when the account has no such chat. */
export async function findParticipants(accountId: string, chatId: string, on: Sql = sql): Promise<Handles> {
  const rows = await on.run(FIND_PARTICIPANTS, { accountId, chatId });
  return byId(rows);
}

const FIND_PARTICIPANTS_OF_CHATS = statement(
  "find-participants-of-chats",
  `${PARTICIPANTS} where c.account_id = :accountId and c.id = any(:chatIds::uuid[])`,
);

/** All current and former participants of chats, by participant id. */
export async function findParticipantsOfChats(
  accountId: string,
  chatIds: readonly string[],
): Promise<Handles> {
  const rows = await sql.run(FIND_PARTICIPANTS_OF_CHATS, { accountId, chatIds });
  return byId(rows);
}

const FIND_PARTICIPANTS_OF_MESSAGE = statement(
  "find-participants-of-message",
  `${PARTICIPANTS} where c.account_id = :accountId and c.id = (
  select m.chat_id from messages m where m.account_id = :accountId and m.id = :messageId and m.deleted_at is null)`,
);

/** All current and former participants of a message's chat. Empty when the account has no such message. */
export async function findParticipantsOfMessage(accountId: string, messageId: string): Promise<Handles> {
  const rows = await sql.run(FIND_PARTICIPANTS_OF_MESSAGE, { accountId, messageId });
  return byId(rows);
}

type Handles = Map<string, ChatHandle>;

function byId(rows: Row[]): Handles {
  return new Map(rows.map((row) => [row.id, toHandle(row)]));
}

function toHandle(row: Row): ChatHandle {
  const participant = { ...row, isMe: row.is_me, joinedAt: row.joined_at, leftAt: row.left_at };
  return toChatHandle(participant, row.line_type);
}
