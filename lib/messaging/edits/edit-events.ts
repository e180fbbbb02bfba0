import "server-only";
import { z } from "zod";
import { defineEvents } from "@/lib/events/catalog/define-events";
import { EventTime } from "@/lib/events/catalog/event-time";
import { EXAMPLE_TIME } from "@/lib/events/catalog/example-data";
import { payload } from "@/lib/events/catalog/payload";
import { HealthStatus, toHealthStatus } from "@/lib/messaging/chats/chat";
import { EventChatHealth } from "@/lib/messaging/chats/event-chat";
import { EXAMPLE_INBOUND } from "@/lib/messaging/messages/example-message";
import { ChatHandle } from "@/lib/recipients/handles/chat-handle";

const EditData = z.object({
  message: z.object({ id: z.uuid(), is_from_me: z.boolean() }),
  chat: EventChatHealth.extend({ health_updated_at: EventTime }),
  owner_handle: ChatHandle,
  sender_handle: ChatHandle,
  part: z.object({ index: z.int().min(0), text: z.string() }),
  edited_at: EventTime,
  zero_retention: z.literal(true).optional(),
});

const EditedMessage = z
  .object({
    id: z.uuid().describe("ID of the message."),
    chat: z
      .object({
        id: z.uuid().describe("ID of the chat."),
        is_group: z
          .boolean()
          .describe("`true` if the chat is a group, that is, has more than one recipient."),
        owner_handle: ChatHandle.describe("Your line in the chat."),
        health_status: HealthStatus,
      })
      .describe("The chat of the message."),
    direction: z
      .enum(["inbound", "outbound"])
      .describe("`inbound` if the message was received, `outbound` if it was sent."),
    sender_handle: ChatHandle.describe("Participant who sent the message."),
    edited_at: z.iso.datetime().describe("When the message was edited."),
    part: z
      .object({
        index: z.int().describe("Index of the part, starting at 0."),
        text: z
          .string()
          .describe("The new text. Empty for outbound messages of accounts with zero-day retention."),
      })
      .describe("The edited part."),
    zero_retention: z
      .literal(true)
      .optional()
      .describe("Present and `true` for accounts with zero-day retention."),
  })
  .meta({ id: "MessageEditedEvent" });

/** `data` of message.edited, which exists since version 2026-02-03 (docs/contract.md, section 12.5). */
const messageEditedPayload = payload(
  EditData,
  { schema: EditedMessage, render: toEditedMessage },
  {
    ...EXAMPLE_INBOUND,
    part: { index: 0, text: "On my way, five minutes late!" },
    edited_at: EXAMPLE_TIME,
  },
);

function toEditedMessage(data: z.output<typeof EditData>): z.input<typeof EditedMessage> {
  const { message, chat, owner_handle, sender_handle, edited_at, part, zero_retention } = data;
  return {
    id: message.id,
    chat: {
      id: chat.id,
      is_group: chat.is_group,
      owner_handle,
      health_status: toHealthStatus(chat.health_status, new Date(chat.health_updated_at)),
    },
    direction: message.is_from_me ? "outbound" : "inbound",
    sender_handle,
    edited_at,
    part,
    ...(zero_retention && { zero_retention }),
  };
}

export const EDIT_EVENTS = defineEvents({
  "message.edited": messageEditedPayload,
});
