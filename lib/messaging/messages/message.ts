import "server-only";
import { z } from "zod";
import { ReplyTo } from "@/lib/messaging/content/message-content";
import { MessageEffect } from "@/lib/messaging/content/message-effect";
import { ResponsePart, StoredPart, toResponsePart } from "@/lib/messaging/content/message-part";
import { REACTIONS_OF_MESSAGE, ReactionRow, reactionsOnPart } from "@/lib/messaging/reactions/reaction";
import { AcceptedSendAt } from "@/lib/messaging/scheduled/send-at";
import type { RowOf } from "@/lib/platform/database/statement";
import { ChatHandle, ServiceType } from "@/lib/recipients/handles/chat-handle";
import { EXAMPLE_LINE } from "@/lib/recipients/handles/example-handles";

/** Path parameters of a message. */
export const MessageParams = z.object({
  messageId: z
    .uuid()
    .meta({ description: "ID of the message.", examples: ["019ca9c2-4c03-7d64-bc33-5e9f40718293"] }),
});

export const DeliveryStatus = z
  .enum(["pending", "queued", "sent", "delivered", "received", "read", "failed"])
  .describe(
    "Delivery status of a message. New messages start as `pending`; `queued` messages wait for their line. Group and SMS messages do not advance past `sent`. Inbound messages are `received`.",
  );

/** An example of a sent message, as returned by the send. */
export const EXAMPLE_SENT_MESSAGE = {
  id: "019ca9c2-4c03-7d64-bc33-5e9f40718293",
  created_at: "2026-03-01T12:00:00.000Z",
  delivery_status: "pending",
  is_read: false,
  parts: [
    {
      type: "text",
      value: "Your table is ready.",
      text_decorations: null,
      inline_stickers: null,
      mentions: null,
      mention: null,
      mention_range: null,
      reactions: null,
    },
  ],
  sent_at: null,
  delivered_at: null,
  effect: null,
  from_handle: EXAMPLE_LINE,
  preferred_service: null,
  reply_to: null,
  service: null,
};

/** The message as a send returns it (docs/contract.md, section 7.1). */
export const SentMessage = z
  .object({
    id: z.uuid().describe("ID of the message."),
    created_at: z.iso.datetime().describe("When the message was accepted or received."),
    delivery_status: DeliveryStatus,
    is_read: z.boolean().describe("Deprecated. Use `delivery_status`."),
    parts: z.array(ResponsePart).describe("Parts of the message in order."),
    sent_at: z.iso
      .datetime()
      .nullable()
      .describe("When the messaging service accepted the message; `null` until then."),
    delivered_at: z.iso
      .datetime()
      .nullable()
      .describe("When the message was delivered. Reported for iMessage and RCS direct chats only."),
    effect: MessageEffect.nullable().describe("Effect of the message; `null` if it has none."),
    from_handle: ChatHandle.nullable().describe("Participant who sent the message."),
    preferred_service: ServiceType.nullable().describe(
      "Preferred service of the send; `null` if none was set.",
    ),
    reply_to: ReplyTo.nullable().describe(
      "The message that this message replies to; `null` if it is not a reply.",
    ),
    service: ServiceType.nullable().describe("Service of the message; `null` until known."),
    send_at: AcceptedSendAt,
  })
  .meta({
    id: "SentMessage",
    description: "The message that a send accepted.",
    examples: [EXAMPLE_SENT_MESSAGE],
  });

export type SentMessage = z.infer<typeof SentMessage>;

/** A message of a chat (docs/contract.md, section 7.1). */
export const Message = SentMessage.extend({
  chat_id: z.uuid().describe("ID of the chat of the message."),
  updated_at: z.iso.datetime().describe("When the message last changed."),
  is_from_me: z.boolean().describe("`true` if your line sent the message."),
  is_delivered: z.boolean().describe("Deprecated. Use `delivery_status`."),
  read_at: z.iso
    .datetime()
    .nullable()
    .describe("When the recipient read the message; `null` until then. Never set in groups."),
  from: z.string().nullable().describe("Deprecated. Use `from_handle`."),
  reconciled_at: z.iso
    .datetime()
    .optional()
    .describe(
      "When a missed message was recovered, later than `sent_at`. Absent on messages that arrived on time.",
    ),
  unsent_at: z.iso
    .datetime()
    .optional()
    .describe(
      "When your message was unsent: recipients no longer see it. Absent on all other messages. A Trunkline extension.",
    ),
}).meta({
  id: "Message",
  description: "A message of a chat, inbound or outbound.",
  examples: [
    {
      ...EXAMPLE_SENT_MESSAGE,
      delivery_status: "read",
      is_read: true,
      sent_at: "2026-03-01T12:00:01.000Z",
      delivered_at: "2026-03-01T12:00:02.000Z",
      service: "iMessage",
      chat_id: "019ca9c2-4c02-7c53-ad22-4d8e3f607182",
      updated_at: "2026-03-01T12:00:09.000Z",
      is_from_me: true,
      is_delivered: true,
      read_at: "2026-03-01T12:00:09.000Z",
      from: "+12025550100",
    },
  ],
});

export type Message = z.infer<typeof Message>;

/** A message as selected by `MESSAGE_COLUMNS`. */
export type MessageRow = RowOf<"find-message">;

/** The columns of a MessageRow, from `m` (messages). */
export const MESSAGE_COLUMNS = `m.id, m.position, m.chat_id, m.sender_id, m.is_from_me, m.parts, m.effect,
  m.reply_to, m.preferred_service, m.service, m.delivery_status, m.created_at, m.updated_at, m.sent_at, m.delivered_at, m.read_at,
  m.reconciled_at, m.unsent_at, ${REACTIONS_OF_MESSAGE} as reactions`;

const StoredParts = z.array(StoredPart);
const StoredReactions = z.array(ReactionRow);

/** The participants of a chat by their ids. */
type Handles = ReadonlyMap<string, ChatHandle>;

/** The only serializer of messages, used by responses, the live log and the dashboard. */
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
    ...(row.unsent_at === null ? {} : { unsent_at: row.unsent_at.toISOString() }),
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
