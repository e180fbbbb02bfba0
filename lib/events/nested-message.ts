import "server-only";
import { z } from "zod";
import {
  contentOf,
  contentShape,
  type MomentFacts,
  preferenceOf,
  preferenceShape,
  type Stage,
  time,
  timesOf,
  timesShape,
} from "@/lib/events/message-moment";
import { ChatHandle, ServiceType } from "@/lib/recipients/handles/chat-handle";

/** `data` of the message events in version 2025-01-01 (contract.md 4.3). */
export const NestedMessage = z
  .object({
    chat_id: z.uuid().describe("ID of the chat."),
    is_group: z.boolean().describe("Whether the chat has more than one recipient."),
    is_from_me: z.boolean().describe("Whether your line sent the message."),
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
    service: ServiceType.nullable().describe("Transport of the message; `null` until it is known."),
    ...preferenceShape,
    message: z
      .object({
        id: z.uuid().describe("ID of the message."),
        ...contentShape,
        is_delivered: z.boolean().describe("Whether the message was delivered."),
        is_read: z.boolean().describe("Whether the message was read."),
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

/** The format of each event: receipts repeat the message's id and their own time at the top. */
export const NESTED_FORMATS = {
  sent: {
    schema: NestedSent,
    render: (facts: MomentFacts) => ({ ...toNestedMessage(facts, "sent"), message_id: facts.message.id }),
  },
  received: { schema: NestedMessage, render: (facts: MomentFacts) => toNestedMessage(facts, "received") },
  delivered: {
    schema: NestedDelivered,
    render: (facts: MomentFacts) => ({
      ...toNestedMessage(facts, "delivered"),
      message_id: facts.message.id,
      delivered_at: time(facts.message.delivered_at),
    }),
  },
  read: {
    schema: NestedRead,
    render: (facts: MomentFacts) => ({
      ...toNestedMessage(facts, "read"),
      message_id: facts.message.id,
      read_at: time(facts.message.read_at),
    }),
  },
};

function toNestedMessage(facts: MomentFacts, stage: Stage): z.input<typeof NestedMessage> {
  const { message, chat } = facts;
  const recipient = message.is_from_me ? null : facts.owner_handle;
  const times = timesOf(facts, stage);
  return {
    chat_id: chat.id,
    is_group: chat.is_group,
    is_from_me: message.is_from_me,
    from: facts.sender_handle.handle,
    from_handle: facts.sender_handle,
    recipient_phone: recipient?.handle ?? null,
    recipient_handle: recipient,
    received_at: message.is_from_me ? null : time(message.created_at),
    service: message.service,
    ...preferenceOf(facts),
    message: {
      id: message.id,
      ...contentOf(facts),
      is_delivered: times.delivered_at !== null,
      is_read: times.read_at !== null,
      created_at: new Date(message.created_at).toISOString(),
      updated_at: new Date(message.updated_at).toISOString(),
      ...times,
    },
  };
}
