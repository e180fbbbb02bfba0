import "server-only";
import { z } from "zod";
import { ReplyTo } from "@/lib/messaging/content/message-content";
import { MessageEffect } from "@/lib/messaging/content/message-effect";
import { ResponsePart, StoredPart, toResponsePart } from "@/lib/messaging/content/message-part";
import { EXAMPLE_SENT_MESSAGE } from "@/lib/messaging/messages/message";
import type { RowOf } from "@/lib/platform/database/statement";
import { ServiceType } from "@/lib/recipients/handles/chat-handle";

/** Path parameters of a scheduled message. */
export const ScheduledParams = z.object({
  messageId: z.uuid().meta({
    description: "ID of the message, as the send returned it.",
    examples: ["019ca9c2-4c03-7d64-bc33-5e9f40718293"],
  }),
});

/** A message that waits for its time. */
export const ScheduledMessage = z
  .object({
    id: z
      .uuid()
      .describe("ID of the message. It keeps this ID when it is sent; a change gives it another one."),
    chat_id: z.uuid().describe("ID of the chat of the message."),
    send_at: z.iso.datetime().describe("When the message will be sent."),
    is_voice_memo: z.boolean().describe("`true` if the message is a voice memo."),
    parts: z.array(ResponsePart).describe("Parts of the message in order."),
    effect: MessageEffect.nullable().describe("Effect of the message; `null` if it has none."),
    preferred_service: ServiceType.nullable().describe(
      "Preferred service of the send; `null` if none was set.",
    ),
    reply_to: ReplyTo.nullable().describe(
      "The message that this message replies to; `null` if it is not a reply.",
    ),
    idempotency_key: z.string().nullable().describe("Idempotency key of the send; `null` if none was set."),
    created_at: z.iso.datetime().describe("When the message was scheduled."),
    updated_at: z.iso.datetime().describe("When the message or its time was last changed by a request."),
  })
  .meta({
    id: "ScheduledMessage",
    description: "A message that waits for its time. A Trunkline extension.",
    examples: [
      {
        id: EXAMPLE_SENT_MESSAGE.id,
        chat_id: "019ca9c2-4c02-7c53-ad22-4d8e3f607182",
        send_at: "2026-03-02T09:00:00.000Z",
        is_voice_memo: false,
        parts: EXAMPLE_SENT_MESSAGE.parts,
        effect: null,
        preferred_service: null,
        reply_to: null,
        idempotency_key: null,
        created_at: "2026-03-01T12:00:00.000Z",
        updated_at: "2026-03-01T12:00:00.000Z",
      },
    ],
  });

export type ScheduledMessage = z.infer<typeof ScheduledMessage>;

/** A scheduled message as selected by `SCHEDULED_COLUMNS`. */
export type ScheduledRow = RowOf<"find-scheduled-message">;

/** The columns of a ScheduledRow, from `s` (scheduled_messages). Only what waits has content and a time. */
export const SCHEDULED_COLUMNS = `s.id, s.position, s.chat_id, s.kind, s.content as "content!", s.parts as "parts!", s.idempotency_key,
  s.due_at as "due_at!", s.revision, s.override_optout, s.created_at, s.updated_at`;

const StoredParts = z.array(StoredPart);

/** The only serializer of scheduled messages. */
export function toScheduledMessage(row: ScheduledRow): ScheduledMessage {
  const { effect, preferred_service, reply_to } = detailsOf(row);
  return {
    id: row.id,
    chat_id: row.chat_id,
    send_at: row.due_at.toISOString(),
    is_voice_memo: row.kind === "voice_memo",
    parts: storedPartsOf(row).map(toResponsePart),
    effect: effect ?? null,
    preferred_service: preferred_service ?? null,
    reply_to: reply_to ?? null,
    idempotency_key: row.idempotency_key,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

const MessageDetails = z.object({
  effect: MessageEffect.optional(),
  preferred_service: ServiceType.optional(),
  reply_to: ReplyTo.optional(),
});

/** The properties of the content beside its parts. A voice memo has none of them. */
export function detailsOf({ content }: Pick<ScheduledRow, "content">): z.infer<typeof MessageDetails> {
  return MessageDetails.parse(content);
}

/** The parts as a message stores them. */
export function storedPartsOf({ parts }: Pick<ScheduledRow, "parts">): StoredPart[] {
  return StoredParts.parse(parts);
}
