import "server-only";
import { type Sql, sql } from "@/lib/platform/database/db";
import type { ParticipantStatus, ServiceType } from "@/lib/platform/prisma/enums";
import { type ChatHandle, toChatHandle } from "@/lib/recipients/handles/chat-handle";

interface Row {
  id: string;
  handle: string;
  is_me: boolean;
  service: ServiceType;
  status: ParticipantStatus;
  joined_at: Date;
  left_at: Date | null;
  line_type: ServiceType;
}

const PARTICIPANTS = `select p.id, p.handle, p.is_me, p.service, p.status, p.joined_at, p.left_at, c.line_type
  from chats c join participants p on p.account_id = c.account_id and p.chat_id = c.id`;

/** All current and former participants of a chat, by participant id. Empty when the account has no such chat. */
export async function findParticipants(accountId: string, chatId: string, on: Sql = sql): Promise<Handles> {
  const rows = await on.query<Row>({
    name: "find-participants",
    text: `${PARTICIPANTS} where c.account_id = $1 and c.id = $2`,
    values: [accountId, chatId],
  });
  return byId(rows);
}

/** All current and former participants of chats, by participant id. */
export async function findParticipantsOfChats(
  accountId: string,
  chatIds: readonly string[],
): Promise<Handles> {
  const rows = await sql.query<Row>({
    name: "find-participants-of-chats",
    text: `${PARTICIPANTS} where c.account_id = $1 and c.id = any($2::uuid[])`,
    values: [accountId, chatIds],
  });
  return byId(rows);
}

/** All current and former participants of a message's chat. Empty when the account has no such message. */
export async function findParticipantsOfMessage(accountId: string, messageId: string): Promise<Handles> {
  const rows = await sql.query<Row>({
    name: "find-participants-of-message",
    text: `${PARTICIPANTS} where c.account_id = $1 and c.id = (
             select m.chat_id from messages m where m.account_id = $1 and m.id = $2 and m.deleted_at is null)`,
    values: [accountId, messageId],
  });
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
