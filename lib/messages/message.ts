import "server-only";
import { z } from "zod";
import { ChatHandle, ServiceType } from "@/lib/chats/chat-handle";
import { MessageEffect, ReplyTo } from "@/lib/messages/message-content";
import { ResponsePart, StoredPart, toResponsePart } from "@/lib/messages/message-part";
import type { Prisma } from "@/lib/platform/prisma/client";

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

/** The columns of a message the wire shows. */
export const messageSelect = {
  id: true,
  chatId: true,
  senderId: true,
  isFromMe: true,
  parts: true,
  effect: true,
  replyTo: true,
  preferredService: true,
  service: true,
  deliveryStatus: true,
  createdAt: true,
  updatedAt: true,
  sentAt: true,
  deliveredAt: true,
  readAt: true,
  reconciledAt: true,
} satisfies Prisma.MessageSelect;

export type MessageRow = Prisma.MessageGetPayload<{ select: typeof messageSelect }>;

const StoredParts = z.array(StoredPart);

/** The one serializer of messages: answers, the live log and the dashboard use it. */
export function toMessage(row: MessageRow, sender: ChatHandle | null): Message {
  return {
    ...toSentMessage(row, sender),
    chat_id: row.chatId,
    updated_at: row.updatedAt.toISOString(),
    is_from_me: row.isFromMe,
    is_delivered: row.deliveredAt !== null,
    read_at: row.readAt?.toISOString() ?? null,
    from: sender?.handle ?? null,
    ...(row.reconciledAt === null ? {} : { reconciled_at: row.reconciledAt.toISOString() }),
  };
}

export function toSentMessage(row: MessageRow, sender: ChatHandle | null): SentMessage {
  return {
    id: row.id,
    created_at: row.createdAt.toISOString(),
    delivery_status: row.deliveryStatus,
    is_read: row.readAt !== null,
    parts: StoredParts.parse(row.parts).map(toResponsePart),
    sent_at: row.sentAt?.toISOString() ?? null,
    delivered_at: row.deliveredAt?.toISOString() ?? null,
    effect: row.effect === null ? null : MessageEffect.parse(row.effect),
    from_handle: sender,
    preferred_service: row.preferredService,
    reply_to: row.replyTo === null ? null : ReplyTo.parse(row.replyTo),
    service: row.service,
  };
}
