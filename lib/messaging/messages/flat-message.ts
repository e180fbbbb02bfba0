import "server-only";
import { z } from "zod";
import { HealthStatus, toHealthStatus } from "@/lib/messaging/chats/chat";
import {
  contentOf,
  contentShape,
  type MessageEventData,
  preferenceOf,
  preferenceShape,
  type Stage,
  stageTimes,
  timesShape,
} from "@/lib/messaging/messages/message-event-data";
import { ChatHandle, ServiceType } from "@/lib/recipients/handles/chat-handle";

/** `data` of the message events since version 2026-02-03 (docs/contract.md, section 12.5). */
export const FlatMessage = z
  .object({
    id: z.uuid().describe("ID of the message."),
    direction: z
      .enum(["inbound", "outbound"])
      .describe("`inbound` if the message was received, `outbound` if it was sent."),
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
    sender_handle: ChatHandle.describe("Participant who sent the message."),
    service: ServiceType.describe("Service of the message."),
    ...contentShape,
    ...preferenceShape,
    ...timesShape,
    reconciled_at: z.iso
      .datetime()
      .optional()
      .describe("When a missed message was recovered or a late receipt arrived. Absent otherwise."),
  })
  .meta({ id: "MessageEvent" });

/** message.sent repeats its id as `message_id` (docs/contract.md, section 12.5). */
const FlatSent = FlatMessage.extend({
  message_id: z.uuid().describe("ID of the message, the same as `id`."),
}).meta({ id: "MessageSentEvent" });

/** The format of each event of the current version. */
export const FLAT_FORMATS = {
  sent: {
    schema: FlatSent,
    render: (data: MessageEventData) => ({ ...toFlatMessage(data, "sent"), message_id: data.message.id }),
  },
  received: { schema: FlatMessage, render: (data: MessageEventData) => toFlatMessage(data, "received") },
  delivered: { schema: FlatMessage, render: (data: MessageEventData) => toFlatMessage(data, "delivered") },
  read: { schema: FlatMessage, render: (data: MessageEventData) => toFlatMessage(data, "read") },
};

function toFlatMessage(data: MessageEventData, stage: Stage): z.input<typeof FlatMessage> {
  const { message, chat } = data;
  return {
    id: message.id,
    direction: message.is_from_me ? "outbound" : "inbound",
    chat: {
      id: chat.id,
      is_group: chat.is_group,
      owner_handle: data.owner_handle,
      health_status: toHealthStatus(chat.health_status, new Date(chat.health_updated_at)),
    },
    sender_handle: data.sender_handle,
    service: message.service ?? data.owner_handle.service,
    ...contentOf(data),
    ...preferenceOf(data),
    ...stageTimes(data, stage),
    ...(message.reconciled_at === null
      ? {}
      : { reconciled_at: new Date(message.reconciled_at).toISOString() }),
  };
}
