import "server-only";
import type { InboundMessage } from "@/lib/adapters/transports/inbound";
import type { LineRef } from "@/lib/adapters/transports/refs";
import { openChat } from "@/lib/messaging/chats/open-chat";
import type { Sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";

/** An inbound message, its line, and the ids assigned to it. */
export interface Arrival {
  line: LineRef;
  inbound: InboundMessage;
  messageId: string;
  traceId: string;
  at: Date;
}

const FIND_CHAT_BY_REF = statement(
  "find-chat-by-ref",
  "select id from chats where account_id = :accountId and line_id = :lineId and transport_ref = :groupRef",
);

/**
 * Finds the chat of an inbound message: by line and sender; for groups, by the transport's conversation id, else by the
 * members. Opens a chat when there is none.
 */
export async function findInboundChat(tx: Sql, { line, inbound, traceId, at }: Arrival): Promise<string> {
  const chat = {
    accountId: line.accountId,
    line,
    recipients: [inbound.from, ...inbound.others],
    service: inbound.service,
    traceId,
    at,
  };
  if (inbound.groupRef === null) return (await openChat(tx, chat)).chatId;

  const [known] = await tx.run(FIND_CHAT_BY_REF, {
    accountId: line.accountId,
    lineId: line.id,
    groupRef: inbound.groupRef,
  });
  if (known !== undefined) return known.id;

  const { chatId } = await openChat(tx, chat);
  if (await adoptRef(tx, line.accountId, chatId, inbound.groupRef)) return chatId;
  const separate = await openChat(tx, { ...chat, isSeparate: true });
  await adoptRef(tx, line.accountId, separate.chatId, inbound.groupRef);
  return separate.chatId;
}

const ADOPT_CHAT_REF = statement(
  "adopt-chat-ref",
  `update chats set transport_ref = :ref
  where account_id = :accountId and id = :chatId and (transport_ref is null or transport_ref = :ref) returning id`,
);

// A group that Trunkline opened gets its transport id from the first send or the first inbound message.
async function adoptRef(tx: Sql, accountId: string, chatId: string, ref: string): Promise<boolean> {
  const rows = await tx.run(ADOPT_CHAT_REF, { accountId, chatId, ref });
  return rows.length > 0;
}
