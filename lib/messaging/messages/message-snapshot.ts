import "server-only";
import type { MessageEventData } from "@/lib/messaging/messages/message-event-data";
import { OPTIONS_OF_POLL, toPoll } from "@/lib/messaging/polls/poll";
import { withoutTexts } from "@/lib/messaging/polls/without-texts";
import type { RowOf } from "@/lib/platform/database/statement";
import type { ServiceType } from "@/lib/platform/prisma/enums";
import { type ChatHandle, type ParticipantRow, toChatHandle } from "@/lib/recipients/handles/chat-handle";

/** An effect as it is stored. */
export type StoredEffect = { type: "screen" | "bubble"; name: string };

/** The message that a reply answers, as it is stored. */
export type StoredReply = { message_id: string; part_index: number };

/** An outbound message with the data of its events, as selected by `SNAPSHOT`. */
export type MessageSnapshot = RowOf<"read-in-progress">;

/** A participant as JSON. */
export interface StoredParticipant extends Omit<ParticipantRow, "joinedAt" | "leftAt"> {
  joinedAt: string;
  leftAt: string | null;
}

/**
 * The columns of a MessageSnapshot, from `m` (messages), `c` (chats) and `me` (the line's participant). Polls have their
 * options with the votes, all participants of the chat, and whether the account stores no content.
 */
export const SNAPSHOT = `m.account_id, m.id, m.chat_id, m.line_id, m.kind, m.parts as "parts: StoredPart[]",
  m.effect as "effect: StoredEffect", m.reply_to as "reply_to: StoredReply", m.idempotency_key,
  m.preferred_service, m.service, m.delivery_status, m.trace_id, m.created_at, m.sent_at, m.delivered_at, m.read_at,
  m.failure_code, c.is_group, c.health_status, c.health_updated_at, c.line_type,
  jsonb_build_object('id', me.id, 'handle', me.handle, 'isMe', me.is_me, 'service', me.service, 'status', me.status,
    'joinedAt', me.joined_at, 'leftAt', me.left_at) as "owner: StoredParticipant", ${OPTIONS_OF_POLL} as "poll_options: OptionRow[]",
  case when m.kind = 'poll' then (
    select a.retention_minutes is not null from accounts a where a.id = m.account_id) end as zero_retention,
  case when m.kind = 'poll' then (
    select jsonb_agg(jsonb_build_object('id', p.id, 'handle', p.handle, 'isMe', p.is_me, 'service', p.service,
      'status', p.status, 'joinedAt', p.joined_at, 'leftAt', p.left_at))
    from participants p where p.account_id = m.account_id and p.chat_id = m.chat_id) end as "parties: StoredParticipant[]"`;

/**
 * Joins `c` and `me` to `m`: the sender of an outbound message is always the line. The plan is always one index lookup
 * per message.
 */
export const SNAPSHOT_JOINS = `cross join lateral (
    select * from chats c where c.account_id = m.account_id and c.id = m.chat_id offset 0
  ) c cross join lateral (
    select * from participants p where p.account_id = m.account_id and p.chat_id = m.chat_id and p.id = m.sender_id offset 0
  ) me`;

/** A message with its chat, as reported in events. */
interface EventMessage
  extends Pick<
    MessageSnapshot,
    | "id"
    | "chat_id"
    | "parts"
    | "reply_to"
    | "idempotency_key"
    | "preferred_service"
    | "service"
    | "created_at"
    | "sent_at"
    | "delivered_at"
    | "read_at"
    | "is_group"
    | "health_status"
    | "health_updated_at"
  > {
  is_from_me: boolean;
  effect: MessageEventData["message"]["effect"];
  reconciled_at: Date | null;
  /** The line's participant in the chat. */
  owner_handle: ChatHandle;
  sender_handle: ChatHandle;
}

/** The stored data of a sent message's events. */
export function sentMessageEventData(message: MessageSnapshot, updatedAt: Date): MessageEventData {
  const owner = partyHandle(message.owner, message.line_type);
  const outbound = { is_from_me: true, reconciled_at: null, owner_handle: owner, sender_handle: owner };
  return messageEventData({ ...message, ...outbound }, updatedAt);
}

/** The stored data of a message's events, sent or received. */
export function messageEventData(message: EventMessage, updatedAt: Date): MessageEventData {
  return {
    message: {
      id: message.id,
      is_from_me: message.is_from_me,
      parts: message.parts,
      effect: message.effect,
      reply_to: message.reply_to,
      idempotency_key: message.idempotency_key,
      preferred_service: message.preferred_service,
      service: message.service,
      created_at: message.created_at.toISOString(),
      updated_at: updatedAt.toISOString(),
      sent_at: message.sent_at?.toISOString() ?? null,
      delivered_at: message.delivered_at?.toISOString() ?? null,
      read_at: message.read_at?.toISOString() ?? null,
      reconciled_at: message.reconciled_at?.toISOString() ?? null,
    },
    chat: {
      id: message.chat_id,
      is_group: message.is_group,
      health_status: message.health_status,
      health_updated_at: message.health_updated_at.toISOString(),
    },
    owner_handle: message.owner_handle,
    sender_handle: message.sender_handle,
  };
}

function partyHandle(party: StoredParticipant, lineType: ServiceType): ChatHandle {
  const leftAt = party.leftAt === null ? null : new Date(party.leftAt);
  return toChatHandle({ ...party, joinedAt: new Date(party.joinedAt), leftAt }, lineType);
}

/** The stored data of an outbound poll's events (docs/contract.md, section 12.5). */
export function toPollEventData(message: MessageSnapshot) {
  const parties = (message.parties ?? []).map((party) => partyHandle(party, message.line_type));
  return {
    message_id: message.id,
    chat: {
      id: message.chat_id,
      is_group: message.is_group,
      owner_handle: partyHandle(message.owner, message.line_type),
    },
    direction: "outbound" as const,
    service: message.service ?? message.line_type,
    ...withoutTexts(
      { poll: toPoll(message.poll_options ?? [], new Map(parties.map((handle) => [handle.id, handle]))) },
      { isZeroRetention: message.zero_retention === true, isOutbound: true },
    ),
  };
}
