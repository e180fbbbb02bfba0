import "server-only";
import { z } from "zod";
import { mediaUrl } from "@/lib/events/media-facts";
import { StoredPicture } from "@/lib/messaging/chats/stored-picture";
import { docsUrl } from "@/lib/platform/env";
import type { Prisma } from "@/lib/platform/prisma/client";
import type { HealthStatus as HealthName } from "@/lib/platform/prisma/enums";
import { ChatHandle, LineType, ServiceType, toChatHandle } from "@/lib/recipients/handles/chat-handle";

export const HealthStatus = z
  .object({
    status: z.enum(["HEALTHY", "AT_RISK", "CRITICAL", "OPTED_OUT"]),
    doc_url: z.url(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: "HealthStatus" });

/** A chat (partner-api.md, Chat; contract.md 2.2). */
export const Chat = z
  .object({
    id: z.uuid(),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
    display_name: z.string().nullable(),
    handles: z.array(ChatHandle),
    health_status: HealthStatus,
    is_archived: z.boolean(),
    is_group: z.boolean(),
    group_chat_icon: z.string().nullable(),
    service: ServiceType.nullable(),
    line_type: LineType,
  })
  .meta({ id: "Chat" });

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

/** The one serializer of chats. A name that was never set shows the handles of the recipients who are in it. */
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
    group_chat_icon: row.groupIcon === null ? null : mediaUrl(StoredPicture.parse(row.groupIcon)),
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
