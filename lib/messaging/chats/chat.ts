import "server-only";
import { z } from "zod";
import { mediaUrl } from "@/lib/events/catalog/event-media";
import { StoredImage } from "@/lib/messaging/chats/stored-image";
import { docsUrl } from "@/lib/platform/env";
import type { Prisma } from "@/lib/platform/prisma/client";
import type { HealthStatus as HealthName } from "@/lib/platform/prisma/enums";
import { ChatHandle, LineType, ServiceType, toChatHandle } from "@/lib/recipients/handles/chat-handle";
import { EXAMPLE_CONTACT, EXAMPLE_LINE } from "@/lib/recipients/handles/example-handles";

/** Path parameters of a chat. */
export const ChatParams = z.object({
  chatId: z
    .uuid()
    .meta({ description: "ID of the chat.", examples: ["019ca9c2-4c02-7c53-ad22-4d8e3f607182"] }),
});

export const HealthStatus = z
  .object({
    status: z
      .enum(["HEALTHY", "AT_RISK", "CRITICAL", "OPTED_OUT"])
      .describe(
        "Health of the chat. `AT_RISK` and `CRITICAL` mean that the recipient has left messages unanswered. `OPTED_OUT` means that the recipient sent an opt-out keyword in this chat.",
      ),
    doc_url: z.url().describe("Guidance for the status."),
    updated_at: z.iso.datetime().describe("When the status last changed."),
  })
  .meta({
    id: "HealthStatus",
    description: "Health of a chat. Chats start as `HEALTHY`.",
    examples: [
      {
        status: "HEALTHY",
        doc_url: "https://docs.example.com/guides/chats/chat-health#healthy",
        updated_at: "2026-03-01T12:00:00.000Z",
      },
    ],
  });

/** A chat (docs/contract.md, section 5.1). */
export const Chat = z
  .object({
    id: z
      .uuid()
      .describe("ID of the chat. Stays the same for the life of the chat, even when participants change."),
    created_at: z.iso.datetime().describe("When the chat was created."),
    updated_at: z.iso.datetime().describe("When the chat last changed."),
    display_name: z
      .string()
      .nullable()
      .describe(
        "Name of the chat. Defaults to a comma-separated list of recipient handles; editable for groups.",
      ),
    handles: z
      .array(ChatHandle)
      .describe("Participants of the chat, including your line and participants who left or were removed."),
    health_status: HealthStatus,
    is_archived: z.boolean().describe("Deprecated. Always `false`."),
    is_group: z.boolean().describe("`true` if the chat is a group, that is, has more than one recipient."),
    group_chat_icon: z.string().nullable().describe("URL of the icon of a group; `null` without an icon."),
    service: ServiceType.nullable().describe(
      "Service of the chat; `null` until known. Individual messages can use a different service.",
    ),
    line_type: LineType,
  })
  .meta({
    id: "Chat",
    description: "A conversation between one of your lines and one or more recipients.",
    examples: [
      {
        id: "019ca9c2-4c02-7c53-ad22-4d8e3f607182",
        created_at: "2026-03-01T12:00:00.000Z",
        updated_at: "2026-03-01T12:00:09.000Z",
        display_name: "+12025550123",
        handles: [EXAMPLE_LINE, EXAMPLE_CONTACT],
        health_status: {
          status: "HEALTHY",
          doc_url: "https://docs.example.com/guides/chats/chat-health#healthy",
          updated_at: "2026-03-01T12:00:00.000Z",
        },
        is_archived: false,
        is_group: false,
        group_chat_icon: null,
        service: "iMessage",
        line_type: "iMessage",
      },
    ],
  });

export type Chat = z.infer<typeof Chat>;

export const chatSelect = {
  id: true,
  lineType: true,
  isGroup: true,
  displayName: true,
  groupIcon: true,
  service: true,
  healthStatus: true,
  healthUpdatedAt: true,
  createdAt: true,
  updatedAt: true,
  lastActivityAt: true,
  participants: {
    select: {
      id: true,
      handle: true,
      isMe: true,
      service: true,
      status: true,
      joinedAt: true,
      leftAt: true,
    },
    orderBy: { id: "asc" },
  },
} satisfies Prisma.ChatSelect;

export type ChatRow = Prisma.ChatGetPayload<{ select: typeof chatSelect }>;

/** The only serializer of chats. The name of an unnamed chat is the list of its current recipients' handles. */
export function toChat(row: ChatRow): Chat {
  const recipients = row.participants.filter(({ isMe, status }) => !isMe && status === "active");
  const handles = recipients.map((participant) => participant.handle).join(", ");
  return {
    id: row.id,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
    display_name: row.displayName ?? (handles || null),
    handles: row.participants.map((participant) => toChatHandle(participant, row.lineType)),
    health_status: toHealthStatus(row.healthStatus, row.healthUpdatedAt),
    is_archived: false,
    is_group: row.isGroup,
    group_chat_icon: row.groupIcon === null ? null : mediaUrl(StoredImage.parse(row.groupIcon)),
    service: row.service,
    line_type: row.lineType === "iMessage" ? "iMessage" : "RCS",
  };
}

export function toHealthStatus(status: HealthName, updatedAt: Date): z.infer<typeof HealthStatus> {
  return {
    status,
    doc_url: `${docsUrl()}/guides/chats/chat-health#${status.toLowerCase()}`,
    updated_at: updatedAt.toISOString(),
  };
}
