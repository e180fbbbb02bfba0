import "server-only";
import { z } from "zod";
import { defineEvents } from "@/lib/events/catalog/define-events";
import { EXAMPLE_CHAT_ID, EXAMPLE_TIME } from "@/lib/events/catalog/example-data";
import { payload } from "@/lib/events/catalog/payload";
import { HealthStatus, toHealthStatus } from "@/lib/messaging/chats/chat";
import { ChatHandle, ServiceType } from "@/lib/recipients/handles/chat-handle";
import { EXAMPLE_CONTACT, EXAMPLE_LINE } from "@/lib/recipients/handles/example-handles";

/** The data of a chat.created event; both payload versions are rendered from it (docs/contract.md, section 12.5). */
const ChatData = z.object({
  id: z.uuid(),
  display_name: z.string().nullable(),
  service: ServiceType.nullable(),
  handles: z.array(ChatHandle),
  is_group: z.boolean(),
  health_status: z.enum(["HEALTHY", "AT_RISK", "CRITICAL", "OPTED_OUT"]),
  health_updated_at: z.string(),
  created_at: z.string(),
  updated_at: z.string(),
});

const CreatedChat = z
  .object({
    id: z.uuid().describe("ID of the chat."),
    display_name: z
      .string()
      .nullable()
      .describe("Name of the chat. Defaults to a comma-separated list of recipient handles."),
    service: ServiceType.nullable().describe("Service of the chat; `null` until known."),
    handles: z.array(ChatHandle).describe("Participants of the chat, including your line."),
    is_group: z.boolean().describe("`true` if the chat is a group, that is, has more than one recipient."),
    health_status: HealthStatus,
    created_at: z.iso.datetime().describe("When the chat was created."),
    updated_at: z.iso.datetime().describe("When the chat last changed."),
  })
  .meta({ id: "ChatCreatedEvent" });

/** `data` of chat.created: the chat without its archive flag and icon (docs/contract.md, section 12.5). */
const chatCreatedPayload = payload(
  ChatData,
  {
    schema: CreatedChat,
    render: (chat) => ({
      id: chat.id,
      display_name: chat.display_name,
      service: chat.service,
      handles: chat.handles,
      is_group: chat.is_group,
      health_status: toHealthStatus(chat.health_status, new Date(chat.health_updated_at)),
      created_at: new Date(chat.created_at).toISOString(),
      updated_at: new Date(chat.updated_at).toISOString(),
    }),
  },
  {
    id: EXAMPLE_CHAT_ID,
    display_name: EXAMPLE_CONTACT.handle,
    service: "iMessage",
    handles: [EXAMPLE_LINE, EXAMPLE_CONTACT],
    is_group: false,
    health_status: "HEALTHY",
    health_updated_at: EXAMPLE_TIME,
    created_at: EXAMPLE_TIME,
    updated_at: EXAMPLE_TIME,
  },
);

export const CHAT_CREATED_EVENTS = defineEvents({
  "chat.created": chatCreatedPayload,
});
