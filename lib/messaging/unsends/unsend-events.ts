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

const UnsendData = z.object({
  message: z.object({ id: z.uuid(), is_from_me: z.boolean() }),
  chat: EventChatHealth.extend({ health_updated_at: EventTime }),
  owner_handle: ChatHandle,
  sender_handle: ChatHandle,
  unsent_at: EventTime,
});

const UnsentMessage = z
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
    direction: z.enum(["inbound", "outbound"]).describe("`outbound`: only your own messages are reported."),
    sender_handle: ChatHandle.describe("Participant who sent the message."),
    unsent_at: z.iso.datetime().describe("When the messaging service unsent the message."),
  })
  .meta({ id: "MessageUnsentEvent" });

/** `data` of message.unsent, an extension, the same in every version (docs/contract.md, section 12.5). */
const messageUnsentPayload = payload(
  UnsendData,
  { schema: UnsentMessage, render: toUnsentMessage },
  {
    ...EXAMPLE_INBOUND,
    message: { ...EXAMPLE_INBOUND.message, is_from_me: true },
    unsent_at: EXAMPLE_TIME,
  },
);

function toUnsentMessage(data: z.output<typeof UnsendData>): z.input<typeof UnsentMessage> {
  const { message, chat, owner_handle, sender_handle, unsent_at } = data;
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
    unsent_at,
  };
}

export const UNSEND_EVENTS = defineEvents({
  "message.unsent": messageUnsentPayload,
});
