import "server-only";
import { z } from "zod";
import { docsUrl } from "@/lib/platform/env";
import type { Line as LineRow } from "@/lib/platform/prisma/client";
import { LineType } from "@/lib/recipients/handles/chat-handle";

const LineHealth = z.object({ status: z.enum(["HEALTHY", "AT_RISK", "CRITICAL"]), doc_url: z.url() });

/** A phone line (contract.md 1.4, 8 row 10). */
export const Line = z
  .object({
    id: z.uuid(),
    phone_number: z.string(),
    line_type: LineType,
    status: z.enum(["ACTIVE", "FLAGGED"]),
    reputation: LineHealth,
    /** Deprecated copy of `reputation`. */
    health_status: LineHealth,
    forwarding_number: z.string().nullable(),
    created_at: z.iso.datetime(),
  })
  .meta({ id: "PhoneNumber" });

export type Line = z.infer<typeof Line>;

export function toLine(row: LineRow): Line {
  const status = toReputation(row.reputation);
  const reputation = { status, doc_url: `${docsUrl()}/guides/lines/reputation#${status.toLowerCase()}` };
  return {
    id: row.id,
    phone_number: row.phoneNumber,
    line_type: row.lineType === "iMessage" ? "iMessage" : "RCS",
    status: row.status,
    reputation,
    health_status: reputation,
    forwarding_number: row.forwardingNumber,
    created_at: row.createdAt.toISOString(),
  };
}

/** A line's health has no OPTED_OUT: only chats have. */
export function toReputation(health: LineRow["reputation"]): Line["reputation"]["status"] {
  return health === "OPTED_OUT" ? "CRITICAL" : health;
}
