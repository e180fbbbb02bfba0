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
    chat_id: z.uuid(),
    is_group: z.boolean(),
    is_from_me: z.boolean(),
    /** Deprecated: `from_handle`. */
    from: z.string(),
    from_handle: ChatHandle,
    /** Deprecated: `recipient_handle`. */
    recipient_phone: z.string().nullable(),
    /** Our own line on inbound messages, null on outbound ones. */
    recipient_handle: ChatHandle.nullable(),
    received_at: z.iso.datetime().nullable(),
    service: ServiceType.nullable(),
    ...preferenceShape,
    message: z.object({
      id: z.uuid(),
      ...contentShape,
      is_delivered: z.boolean(),
      is_read: z.boolean(),
      created_at: z.iso.datetime(),
      updated_at: z.iso.datetime(),
      ...timesShape,
    }),
  })
  .meta({ id: "MessageEvent20250101" });

const NestedSent = NestedMessage.extend({ message_id: z.uuid() }).meta({ id: "MessageSentEvent20250101" });

const NestedDelivered = NestedMessage.extend({
  message_id: z.uuid(),
  delivered_at: z.iso.datetime().nullable(),
}).meta({ id: "MessageDeliveredEvent20250101" });

const NestedRead = NestedMessage.extend({
  message_id: z.uuid(),
  read_at: z.iso.datetime().nullable(),
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
