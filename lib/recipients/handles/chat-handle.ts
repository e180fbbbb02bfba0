import "server-only";
import { z } from "zod";
import type { ParticipantStatus, ServiceType as ServiceName } from "@/lib/platform/prisma/enums";

/** Enumeration of transports (partner-api.md, ServiceType). */
export const ServiceType = z.enum(["iMessage", "SMS", "RCS"]);

export const LineType = z.enum(["iMessage", "RCS"]);

/** A participant of a chat on the wire (partner-api.md, ChatHandle). */
export const ChatHandle = z
  .object({
    id: z.uuid(),
    handle: z.string(),
    joined_at: z.iso.datetime(),
    service: ServiceType,
    is_me: z.boolean().nullable(),
    left_at: z.iso.datetime().nullable(),
    status: z.enum(["active", "left", "removed"]).nullable(),
    line_type: LineType,
  })
  .meta({ id: "ChatHandle" });

export type ChatHandle = z.infer<typeof ChatHandle>;

/** The columns of a participant that the wire shows. */
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
