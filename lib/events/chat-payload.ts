import "server-only";
import { z } from "zod";
import { ChatFacts } from "@/lib/events/chat-facts";
import { EXAMPLE_CHAT } from "@/lib/events/example-facts";
import { payload } from "@/lib/events/payload";
import { HealthStatus, toHealthStatus } from "@/lib/messaging/chats/chat";
import { ChatHandle, ServiceType } from "@/lib/recipients/handles/chat-handle";

const CreatedChat = z
  .object({
    id: z.uuid().describe("ID of the chat."),
    display_name: z
      .string()
      .nullable()
      .describe("Name of the chat. Defaults to a comma-separated list of recipient handles."),
    service: ServiceType.nullable().describe("Transport of the chat; `null` until it is known."),
    handles: z.array(ChatHandle).describe("Participants, your line among them."),
    is_group: z.boolean().describe("Whether the chat has more than one recipient."),
    health_status: HealthStatus,
    created_at: z.iso.datetime().describe("When the chat was created."),
    updated_at: z.iso.datetime().describe("When the chat last changed."),
  })
  .meta({ id: "ChatCreatedEvent" });

/** `data` of chat.created: the chat without its archive flag and icon (contract.md 4.3). */
export const chatCreatedPayload = payload(
  ChatFacts,
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
  EXAMPLE_CHAT,
);
