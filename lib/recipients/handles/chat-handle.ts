import "server-only";
import { z } from "zod";
import type { ParticipantStatus, ServiceType as ServiceName } from "@/lib/platform/prisma/enums";

/** The service of a chat, message or participant (docs/contract.md, section 5.1). */
export const ServiceType = z
  .enum(["iMessage", "SMS", "RCS"])
  .describe("Messaging service: `iMessage`, `SMS` or `RCS`.");

export const LineType = z
  .enum(["iMessage", "RCS"])
  .describe(
    "The type of a line. An iMessage line sends iMessage, RCS and SMS; an RCS line sends RCS and SMS.",
  );

/** A participant of a chat in the API (docs/contract.md, section 5.1). */
export const ChatHandle = z
  .object({
    id: z.uuid().describe("ID of this handle."),
    handle: z.string().describe("Phone number in E.164 format or email address."),
    joined_at: z.iso.datetime().describe("When the participant joined the chat."),
    service: ServiceType.describe("Service used for this participant."),
    is_me: z.boolean().nullable().describe("`true` if the handle is your own line."),
    left_at: z.iso
      .datetime()
      .nullable()
      .describe("When the participant left or was removed; `null` while active."),
    status: z
      .enum(["active", "left", "removed"])
      .nullable()
      .describe("`active`, `left` or `removed`. Only active participants send and receive messages."),
    line_type: LineType.describe(
      "Type of your line in this chat. A property of the line, not of the conversation.",
    ),
  })
  .meta({
    id: "ChatHandle",
    description: "A participant of a chat.",
    examples: [
      {
        id: "019ca9c2-4c01-7b42-9e11-3c7d2e5f6071",
        handle: "+12025550123",
        joined_at: "2026-03-01T12:00:00.000Z",
        service: "iMessage",
        is_me: false,
        left_at: null,
        status: "active",
        line_type: "iMessage",
      },
    ],
  });

export type ChatHandle = z.infer<typeof ChatHandle>;

/** The columns of a participant that the API returns. */
export interface ParticipantRow {
  id: string;
  handle: string;
  isMe: boolean;
  service: ServiceName;
  status: ParticipantStatus;
  joinedAt: Date;
  leftAt: Date | null;
}

export function toChatHandle(row: ParticipantRow, lineType: ServiceName): ChatHandle {
  return {
    id: row.id,
    handle: row.handle,
    joined_at: row.joinedAt.toISOString(),
    service: row.service,
    is_me: row.isMe,
    left_at: row.leftAt?.toISOString() ?? null,
    status: row.status,
    line_type: lineType === "iMessage" ? "iMessage" : "RCS",
  };
}
