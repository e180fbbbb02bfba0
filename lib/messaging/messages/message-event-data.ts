import "server-only";
import { z } from "zod";
import { EventChatHealth } from "@/lib/messaging/chats/event-chat";
import { ReplyTo } from "@/lib/messaging/content/message-content";
import { MessageEffect } from "@/lib/messaging/content/message-effect";
import { StoredPart, toWebhookPart, WebhookPart } from "@/lib/messaging/content/message-part";
import { ChatHandle, ServiceType } from "@/lib/recipients/handles/chat-handle";

/**
 * The stored data of a message's events: the message at the time of the event. Both payload versions
 * (docs/contract.md, section 12.5) are rendered from it at each delivery, so URLs in it (media, docs) are always
 * current.
 */
export const MessageEventData = z.object({
  message: z.object({
    id: z.uuid(),
    is_from_me: z.boolean(),
    parts: z.array(StoredPart),
    effect: MessageEffect.nullable(),
    reply_to: ReplyTo.nullable(),
    idempotency_key: z.string().nullable(),
    preferred_service: ServiceType.nullable(),
    service: ServiceType.nullable(),
    created_at: z.string(),
    updated_at: z.string(),
    sent_at: z.string().nullable(),
    delivered_at: z.string().nullable(),
    read_at: z.string().nullable(),
    reconciled_at: z.string().nullable(),
  }),
  chat: EventChatHealth,
  /** The line's participant in the chat. */
  owner_handle: ChatHandle,
  sender_handle: ChatHandle,
});
export type MessageEventData = z.infer<typeof MessageEventData>;

/** The four events that show a message. */
export type Stage = "sent" | "received" | "delivered" | "read";

const PreferredService = z.enum([...ServiceType.options, "auto"]);
const Time = z.iso.datetime();

/** The properties of a message that both payload versions contain, with the same names. */
export const contentShape = {
  parts: z.array(WebhookPart).describe("Parts of the message in order."),
  effect: MessageEffect.nullable().describe("Effect of the message; `null` if it has none."),
  reply_to: ReplyTo.nullable().describe(
    "The message that this message replies to; `null` if it is not a reply.",
  ),
};

export const timesShape = {
  sent_at: Time.nullable().describe("When the messaging service accepted the message; `null` until then."),
  delivered_at: Time.nullable().describe("When the message was delivered; `null` until then."),
  read_at: Time.nullable().describe("When the message was read; `null` until then."),
};

export const preferenceShape = {
  idempotency_key: z.string().nullable().describe("Idempotency key of the send; `null` if none was set."),
  preferred_service: PreferredService.nullable().describe(
    "Preferred service of the send; `null` if none was set.",
  ),
};

export function contentOf({ message }: MessageEventData) {
  return {
    parts: message.parts.map(toWebhookPart),
    effect: message.effect,
    reply_to: message.reply_to,
  };
}

/**
 * Each event shows the state at its own time: a `sent` event never contains a delivery time
 * (docs/contract.md, section 12.5).
 */
export function stageTimes({ message }: MessageEventData, stage: Stage) {
  const wasDelivered = stage === "delivered" || stage === "read";
  return {
    sent_at: time(message.sent_at),
    delivered_at: wasDelivered ? time(message.delivered_at) : null,
    read_at: stage === "read" ? time(message.read_at) : null,
  };
}

/** A send without a preference used the default order, "auto". Inbound messages have no preference. */
export function preferenceOf({ message }: MessageEventData) {
  const preferred = message.preferred_service ?? (message.is_from_me ? ("auto" as const) : null);
  return { idempotency_key: message.idempotency_key, preferred_service: preferred };
}

/** Stored data contain times in PostgreSQL's or JavaScript's format; the API uses one format. */
export function time(value: string | null): string | null {
  return value === null ? null : new Date(value).toISOString();
}
