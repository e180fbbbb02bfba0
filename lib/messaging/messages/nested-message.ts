import "server-only";
import { z } from "zod";
import {
  contentOf,
  contentShape,
  type MessageEventData,
  preferenceOf,
  preferenceShape,
  type Stage,
  stageTimes,
  time,
  timesShape,
} from "@/lib/messaging/messages/message-event-data";
import { ChatHandle, ServiceType } from "@/lib/recipients/handles/chat-handle";

/** `data` of the message events in version 2025-01-01 (docs/contract.md, section 12.5). */
export const NestedMessage = z
  .object({
    chat_id: z.uuid().describe("ID of the chat."),
    is_group: z.boolean().describe("`true` if the chat is a group, that is, has more than one recipient."),
    is_from_me: z.boolean().describe("`true` if your line sent the message."),
    from: z.string().describe("Deprecated. Use `from_handle`."),
    from_handle: ChatHandle.describe("Participant who sent the message."),
    recipient_phone: z.string().nullable().describe("Deprecated. Use `recipient_handle`."),
    recipient_handle: ChatHandle.nullable().describe(
      "Your line on inbound messages; `null` on outbound messages.",
    ),
    received_at: z.iso
      .datetime()
      .nullable()
      .describe("When an inbound message was received; `null` on outbound messages."),
    service: ServiceType.nullable().describe("Service of the message; `null` until known."),
    ...preferenceShape,
    message: z
      .object({
        id: z.uuid().describe("ID of the message."),
        ...contentShape,
        is_delivered: z.boolean().describe("`true` if the message was delivered."),
        is_read: z.boolean().describe("`true` if the message was read."),
        created_at: z.iso.datetime().describe("When the message was accepted or received."),
        updated_at: z.iso.datetime().describe("When the message last changed."),
        ...timesShape,
      })
      .describe("The message."),
  })
  .meta({ id: "MessageEvent20250101" });

const NestedSent = NestedMessage.extend({ message_id: z.uuid().describe("ID of the message.") }).meta({
  id: "MessageSentEvent20250101",
});

const NestedDelivered = NestedMessage.extend({
  message_id: z.uuid().describe("ID of the message."),
  delivered_at: z.iso.datetime().nullable().describe("When the message was delivered."),
}).meta({ id: "MessageDeliveredEvent20250101" });

const NestedRead = NestedMessage.extend({
  message_id: z.uuid().describe("ID of the message."),
  read_at: z.iso.datetime().nullable().describe("When the message was read."),
}).meta({ id: "MessageReadEvent20250101" });

/** The format of each event. Receipts repeat the message's id and their own time at the top level. */
export const NESTED_FORMATS = {
  sent: {
    schema: NestedSent,
    render: (data: MessageEventData) => ({ ...toNestedMessage(data, "sent"), message_id: data.message.id }),
  },
  received: { schema: NestedMessage, render: (data: MessageEventData) => toNestedMessage(data, "received") },
  delivered: {
    schema: NestedDelivered,
    render: (data: MessageEventData) => ({
      ...toNestedMessage(data, "delivered"),
      message_id: data.message.id,
      delivered_at: time(data.message.delivered_at),
    }),
  },
  read: {
    schema: NestedRead,
    render: (data: MessageEventData) => ({
      ...toNestedMessage(data, "read"),
      message_id: data.message.id,
      read_at: time(data.message.read_at),
    }),
  },
};

function toNestedMessage(data: MessageEventData, stage: Stage): z.input<typeof NestedMessage> {
  const { message, chat } = data;
  const recipient = message.is_from_me ? null : data.owner_handle;
  const times = stageTimes(data, stage);
  return {
    chat_id: chat.id,
    is_group: chat.is_group,
    is_from_me: message.is_from_me,
    from: data.sender_handle.handle,
    from_handle: data.sender_handle,
    recipient_phone: recipient?.handle ?? null,
    recipient_handle: recipient,
    received_at: message.is_from_me ? null : time(message.created_at),
    service: message.service,
    ...preferenceOf(data),
    message: {
      id: message.id,
      ...contentOf(data),
      is_delivered: times.delivered_at !== null,
      is_read: times.read_at !== null,
      created_at: new Date(message.created_at).toISOString(),
      updated_at: new Date(message.updated_at).toISOString(),
      ...times,
    },
  };
}
