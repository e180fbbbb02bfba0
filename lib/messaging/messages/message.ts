import "server-only";
import { z } from "zod";
import { ReplyTo } from "@/lib/messaging/messages/message-content";
import { MessageEffect } from "@/lib/messaging/messages/message-effect";
import { ResponsePart, StoredPart, toResponsePart } from "@/lib/messaging/messages/message-part";
import { REACTIONS_OF_MESSAGE, ReactionRow, reactionsOnPart } from "@/lib/messaging/reactions/reaction";
import type {
  DeliveryStatus as DeliveryState,
  ServiceType as ServiceName,
} from "@/lib/platform/prisma/enums";
import { ChatHandle, ServiceType } from "@/lib/recipients/handles/chat-handle";

export const DeliveryStatus = z.enum([
  "pending",
  "queued",
  "sent",
  "delivered",
  "received",
  "read",
  "failed",
]);

/** The message as a send answers it (contract.md 2.4). */
export const SentMessage = z
  .object({
    id: z.uuid(),
    created_at: z.iso.datetime(),
    delivery_status: DeliveryStatus,
    is_read: z.boolean(),
    parts: z.array(ResponsePart),
    sent_at: z.iso.datetime().nullable(),
    delivered_at: z.iso.datetime().nullable(),
    effect: MessageEffect.nullable(),
    from_handle: ChatHandle.nullable(),
    preferred_service: ServiceType.nullable(),
    reply_to: ReplyTo.nullable(),
    service: ServiceType.nullable(),
  })
  .meta({ id: "SentMessage" });

export type SentMessage = z.infer<typeof SentMessage>;

/** A message of a chat (partner-api.md, Message; contract.md 2.5). */
export const Message = SentMessage.extend({
  chat_id: z.uuid(),
  updated_at: z.iso.datetime(),
  is_from_me: z.boolean(),
  is_delivered: z.boolean(),
  read_at: z.iso.datetime().nullable(),
  from: z.string().nullable(),
  reconciled_at: z.iso.datetime().optional(),
}).meta({ id: "Message" });

export type Message = z.infer<typeof Message>;

/** A message as `MESSAGE_COLUMNS` select it. */
export interface MessageRow {
  id: string;
  /** The order of acceptance in its chat. */
  position: string;
  chat_id: string;
  sender_id: string;
  is_from_me: boolean;
  parts: unknown;
  effect: unknown;
  reply_to: unknown;
  preferred_service: ServiceName | null;
  service: ServiceName | null;
  delivery_status: DeliveryState;
  created_at: Date;
  updated_at: Date;
  sent_at: Date | null;
  delivered_at: Date | null;
  read_at: Date | null;
  reconciled_at: Date | null;
  reactions: unknown;
}

/** The columns of a MessageRow, of `m` (messages). */
export const MESSAGE_COLUMNS = `m.id, m.position, m.chat_id, m.sender_id, m.is_from_me, m.parts, m.effect,
  m.reply_to, m.preferred_service, m.service, m.delivery_status, m.created_at, m.updated_at, m.sent_at, m.delivered_at, m.read_at,
  m.reconciled_at, ${REACTIONS_OF_MESSAGE} as reactions`;

const StoredParts = z.array(StoredPart);
const StoredReactions = z.array(ReactionRow);

/** The participants of a chat by their ids. */
type Handles = ReadonlyMap<string, ChatHandle>;

/** The one serializer of messages: answers, the live log and the dashboard use it. */
export function toMessage(row: MessageRow, handles: Handles): Message {
  const sent = toSentMessage(row, handles);
  return {
    ...sent,
    chat_id: row.chat_id,
    updated_at: row.updated_at.toISOString(),
    is_from_me: row.is_from_me,
    is_delivered: row.delivered_at !== null,
    read_at: row.read_at?.toISOString() ?? null,
    from: sent.from_handle?.handle ?? null,
    ...(row.reconciled_at === null ? {} : { reconciled_at: row.reconciled_at.toISOString() }),
  };
}

export function toSentMessage(row: MessageRow, handles: Handles): SentMessage {
  return {
    id: row.id,
    created_at: row.created_at.toISOString(),
    delivery_status: row.delivery_status,
    is_read: row.read_at !== null,
    parts: toParts(row, handles),
    sent_at: row.sent_at?.toISOString() ?? null,
    delivered_at: row.delivered_at?.toISOString() ?? null,
    effect: row.effect === null ? null : MessageEffect.parse(row.effect),
    from_handle: handles.get(row.sender_id) ?? null,
    preferred_service: row.preferred_service,
    reply_to: row.reply_to === null ? null : ReplyTo.parse(row.reply_to),
    service: row.service,
  };
}

function toParts(row: MessageRow, handles: Handles): ResponsePart[] {
  const parts = StoredParts.parse(row.parts).map(toResponsePart);
  if (row.reactions === null) return parts;
  const rows = StoredReactions.parse(row.reactions);
  return parts.map((part, index) => {
    const reactions = reactionsOnPart(rows, index, handles);
    return reactions.length === 0 ? part : { ...part, reactions };
  });
}
