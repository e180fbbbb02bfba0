import "server-only";
import { z } from "zod";
import { docsUrl } from "@/lib/platform/env";
import type { Line as LineRow } from "@/lib/platform/prisma/client";
import { LineType } from "@/lib/recipients/handles/chat-handle";

const LineHealth = z.object({
  status: z
    .enum(["HEALTHY", "AT_RISK", "CRITICAL"])
    .describe("Reputation of the line. Unhealthy chats lower it."),
  doc_url: z.url().describe("Guidance for the status."),
});

/** A phone line (docs/contract.md, section 11.1). */
export const Line = z
  .object({
    id: z.uuid().describe("ID of the line."),
    phone_number: z.string().describe("Number of the line in E.164 format."),
    label: z
      .string()
      .optional()
      .describe(
        "Name of the line that your team gave it. Absent on lines without one. A Trunkline extension.",
      ),
    line_type: LineType,
    status: z
      .enum(["ACTIVE", "FLAGGED"])
      .describe("`ACTIVE` or `FLAGGED`. A flagged line cannot send: every write on it fails with 2027."),
    reputation: LineHealth.describe("Reputation of the line."),
    health_status: LineHealth.describe("Deprecated. A copy of `reputation`."),
    forwarding_number: z
      .string()
      .nullable()
      .describe("Number that inbound calls are forwarded to; `null` when they are not forwarded."),
    created_at: z.iso.datetime().describe("When the line was assigned to the account."),
    upstream_lines: z
      .array(z.string())
      .nullable()
      .optional()
      .describe(
        "IDs of the lines that messages pass after this one, if the line is connected to an upstream; `null` until the connection was checked. Absent on other lines. A Trunkline extension.",
      ),
  })
  .meta({
    id: "PhoneNumber",
    description: "A phone line of your account.",
    examples: [
      {
        id: "019ca9c2-4c00-7a31-8f00-2b6c1d4e5f60",
        phone_number: "+12025550100",
        line_type: "iMessage",
        status: "ACTIVE",
        reputation: {
          status: "HEALTHY",
          doc_url: "https://docs.example.com/guides/lines/reputation#healthy",
        },
        health_status: {
          status: "HEALTHY",
          doc_url: "https://docs.example.com/guides/lines/reputation#healthy",
        },
        forwarding_number: null,
        created_at: "2026-03-01T12:00:00.000Z",
      },
    ],
  });

export type Line = z.infer<typeof Line>;

export function toLine(row: LineRow): Line {
  const status = toReputation(row.reputation);
  const reputation = { status, doc_url: `${docsUrl()}/guides/lines/reputation#${status.toLowerCase()}` };
  return {
    id: row.id,
    phone_number: row.phoneNumber,
    ...(row.label !== null && { label: row.label }),
    line_type: row.lineType === "iMessage" ? "iMessage" : "RCS",
    status: row.status,
    reputation,
    health_status: reputation,
    forwarding_number: row.forwardingNumber,
    created_at: row.createdAt.toISOString(),
    ...(row.transport === "upstream" && { upstream_lines: toRoute(row.upstreamLines) }),
  };
}

function toRoute(stored: LineRow["upstreamLines"]): string[] | null {
  return z.array(z.string()).nullable().parse(stored);
}

/** Lines have no OPTED_OUT health, only chats do. */
export function toReputation(health: LineRow["reputation"]): Line["reputation"]["status"] {
  return health === "OPTED_OUT" ? "CRITICAL" : health;
}
