import "server-only";
import type { EventData } from "@/lib/events/catalog/define-events";
import { emitEvents, newEvent } from "@/lib/events/store/emit-event";
import { CHAT_CREATED_EVENTS } from "@/lib/messaging/chats/chat-created-events";
import type { Sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { newId } from "@/lib/platform/ids";
import type { ServiceType } from "@/lib/platform/prisma/enums";
import { restoreErasedHandles } from "@/lib/recipients/erased-handles/erased-handles";
import { type ParticipantRow, toChatHandle } from "@/lib/recipients/handles/chat-handle";
import { participantsKey } from "@/lib/recipients/handles/participants-key";

/** The parties of a chat to find or open. */
export interface ChatToOpen {
  accountId: string;
  line: { id: string; phoneNumber: string; lineType: ServiceType };
  /** Distinct handles, without the line's. Several make a group. */
  recipients: readonly string[];
  /** The group is never found by its recipients, because another group has the same ones. */
  isSeparate?: boolean;
  /** The initial service of the chat. Deliveries correct it. */
  service: ServiceType;
  traceId: string;
  at: Date;
}

/**
 * Returns the line's chat with these recipients, or opens one with its chat.created event
 * (docs/contract.md, section 5.2). Concurrent callers wait for each other and share one chat. Opt-outs and blocks of
 * erased persons apply again.
 */
export async function openChat(tx: Sql, chat: ChatToOpen): Promise<{ chatId: string; created: boolean }> {
  const chatId = await insertChat(tx, chat);
  if (chatId === null) return { chatId: await findChatByKey(tx, chat), created: false };

  const participants = await insertParticipants(tx, chatId, chat);
  const { accountId, line, traceId, at } = chat;
  const about = { accountId, lineId: line.id, chatId, messageId: null, traceId, at };
  const data = toEventData(chatId, chat, participants);
  await emitEvents(tx, [newEvent(CHAT_CREATED_EVENTS["chat.created"], about, data)]);
  return { chatId, created: true };
}

const INSERT_CHAT = statement(
  "insert-chat",
  `insert into chats (account_id, id, line_id, line_type, is_group, recipient_handle, participants_key, service,
    health_updated_at, last_activity_at, created_at, updated_at)
  values (:accountId, :id, :lineId, :lineType::text::service_type, :isGroup, :recipientHandle, :participantsKey, :service::text::service_type, :chatAt, :chatAt, :chatAt, :chatAt)
  on conflict (account_id, line_id, participants_key) do nothing returning id`,
);

async function insertChat(tx: Sql, chat: ChatToOpen): Promise<string | null> {
  const isGroup = chat.recipients.length > 1;
  const [row] = await tx.run(INSERT_CHAT, {
    accountId: chat.accountId,
    id: newId(chat.at.getTime(), chat.accountId, "chat", participantsKey(chat.recipients)),
    lineId: chat.line.id,
    lineType: chat.line.lineType,
    isGroup,
    recipientHandle: isGroup ? null : chat.recipients[0],
    participantsKey: chat.isSeparate ? null : participantsKey(chat.recipients),
    service: chat.service,
    chatAt: chat.at,
  });
  return row?.id ?? null;
}

const FIND_CHAT_BY_KEY = statement(
  "find-chat-by-key",
  "select id from chats where account_id = :accountId and line_id = :lineId and participants_key = :participantsKey",
);

async function findChatByKey(tx: Sql, chat: ChatToOpen): Promise<string> {
  const [row] = await tx.run(FIND_CHAT_BY_KEY, {
    accountId: chat.accountId,
    lineId: chat.line.id,
    participantsKey: participantsKey(chat.recipients),
  });
  if (row === undefined) throw new Error("a chat vanished between two statements");
  return row.id;
}

const INSERT_PARTICIPANTS = statement(
  "insert-participants",
  `insert into participants (account_id, chat_id, id, handle, is_me, service, joined_at)
  select :accountId, :chatId, t.id, t.handle, t.is_me, :service::text::service_type, :chatAt
  from unnest(:participantIds::uuid[], :handles::text[], :isMes::boolean[]) as t(id, handle, is_me)
  returning (select a.handle_pepper from accounts a where a.id = :accountId) as pepper`,
);

async function insertParticipants(tx: Sql, chatId: string, chat: ChatToOpen): Promise<ParticipantRow[]> {
  const participants = [chat.line.phoneNumber, ...chat.recipients].map((handle, index) => ({
    id: newId(chat.at.getTime(), chat.accountId, chatId, handle),
    handle,
    isMe: index === 0,
    service: chat.service,
    status: "active" as const,
    joinedAt: chat.at,
    leftAt: null,
  }));
  const [row] = await tx.run(INSERT_PARTICIPANTS, {
    accountId: chat.accountId,
    chatId,
    participantIds: participants.map((participant) => participant.id),
    handles: participants.map((participant) => participant.handle),
    isMes: participants.map((participant) => participant.isMe),
    service: chat.service,
    chatAt: chat.at,
  });
  await restoreErasedHandles(tx, chat.accountId, row?.pepper, chat.recipients);
  return participants;
}

function toEventData(
  chatId: string,
  chat: ChatToOpen,
  participants: ParticipantRow[],
): EventData<(typeof CHAT_CREATED_EVENTS)["chat.created"]> {
  return {
    id: chatId,
    display_name: null,
    service: chat.service,
    handles: participants.map((participant) => toChatHandle(participant, chat.line.lineType)),
    is_group: chat.recipients.length > 1,
    health_status: "HEALTHY",
    health_updated_at: chat.at.toISOString(),
    created_at: chat.at.toISOString(),
    updated_at: chat.at.toISOString(),
  };
}
