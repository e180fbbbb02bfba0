import "server-only";
import { LOOP_LEAST_EXCHANGES } from "@/lib/identity/accounts/account-options";
import { findAccountOptions } from "@/lib/identity/accounts/find-account-options";
import { findLoop, type LoopMessage, loopText, WEAK_FACTOR } from "@/lib/messaging/loops/find-loop";
import { holdLoop } from "@/lib/messaging/loops/hold-loop";
import { sql } from "@/lib/platform/database/db";
import { type RowOf, statement } from "@/lib/platform/database/statement";
import { firstIdAt } from "@/lib/platform/ids";
import { log } from "@/lib/platform/telemetry/log";

/** Chats in which people and programs write much are looked at with every fifth exchange. */
const CHECK_EVERY = 5;
/** Messages per exchange that are read: one of each side, and room for more. */
const MESSAGES_PER_EXCHANGE = 4;

/** An inbound message that was stored, with the chat's exchanges in a row; null = there is nothing to look at. */
interface CountedMessage {
  accountId: string;
  chatId: string;
  messageId: string;
  traceId: string;
  exchangeCount: number | null;
  /** Whether the network of the line says when its messages were written. */
  isTimeReported: boolean;
}

/** Whether a chat with this number of exchanges in a row is looked at. */
export function isDue(counted: number, exchanges: number): boolean {
  return counted >= exchanges && (counted - exchanges) % CHECK_EVERY === 0;
}

/**
 * Puts a chat on hold for sends by API tokens when two programs answer each other. Called after the inbound message is
 * stored, which stays stored if this fails: a later message of the loop is checked again.
 */
export async function checkForLoop(message: CountedMessage): Promise<void> {
  const counted = message.exchangeCount ?? 0;
  if (counted < LOOP_LEAST_EXCHANGES) return;
  try {
    await check(message, counted);
  } catch (error) {
    log.error({ err: error, chat: message.chatId }, "a chat was not checked for a loop");
  }
}

async function check(message: CountedMessage, counted: number): Promise<void> {
  const { loop_exchanges: exchanges } = await findAccountOptions(message.accountId);
  if (exchanges === null || !isDue(counted, exchanges)) return;
  const messages = await readMessages(message, Math.min(counted, exchanges * WEAK_FACTOR));
  const loop = findLoop(messages, { exchanges, counted });
  if (loop === null || (await isAnsweredByPerson(message.accountId, messages, loop.sendIds))) return;
  await holdLoop(message, { type: loop.type, counted });
}

const LIST_LOOP_MESSAGES = statement(
  "list-loop-messages",
  `select m.id, m.is_from_me, m.created_at, m.sent_at, m.parts as "parts: StoredPart[]"
  from (
    select * from messages m where m.account_id = :accountId and m.chat_id = :chatId and m.deleted_at is null
    order by m.position desc limit :limit
  ) m
  where m.is_from_me or m.sender_id = (
    select n.sender_id from messages n where n.account_id = :accountId and n.id = :messageId)
  order by m.position`,
);

/** The newest messages of the sender and ours. In a group, others may write meanwhile. */
async function readMessages(
  { accountId, chatId, messageId, isTimeReported }: CountedMessage,
  exchanges: number,
): Promise<LoopMessage[]> {
  const limit = (exchanges + 1) * MESSAGES_PER_EXCHANGE;
  const rows = await sql.run(LIST_LOOP_MESSAGES, { accountId, chatId, messageId, limit });
  return rows.map((row) => toLoopMessage(row, isTimeReported));
}

function toLoopMessage(row: RowOf<"list-loop-messages">, isTimeReported: boolean): LoopMessage {
  return {
    id: row.id,
    isFromMe: row.is_from_me,
    at: row.created_at,
    writtenAt: row.is_from_me || !isTimeReported ? null : row.sent_at,
    text: loopText(row.parts),
  };
}

const ARE_SENT_BY_PEOPLE = statement(
  "are-sent-by-people",
  `select exists (
    select 1 from audit_entries e
    where e.account_id = :accountId and e.object_type = 'message' and e.id >= :fromId and e.action = 'message.sent'
      and e.object_id = any(:messageIds)) as "found!"`,
);

/** Whether a person in the dashboard wrote one of the sends: then no program answers. */
async function isAnsweredByPerson(accountId: string, messages: readonly LoopMessage[], sendIds: string[]) {
  const from = messages.find(({ id }) => id === sendIds[0])?.at.getTime() ?? 0;
  // The entry is written after the message was accepted; the ids of two processes may differ by a moment.
  const fromId = firstIdAt(from - 60_000);
  const [row] = await sql.run(ARE_SENT_BY_PEOPLE, { accountId, fromId, messageIds: sendIds });
  return row?.found === true;
}
