import type { AuditReport } from "@/lib/lines/reputation/reputation-audit";

/** The names of risk factors, by their key in the audit report. */
export const DRIVER_NAMES = {
  low_engagement: "Low engagement",
  overall_conversation_health: "Conversation health",
  volume_spike: "Volume spike",
  new_conversation_rate: "New conversations",
  opt_out_handling: "Opt-out handling",
  flagged: "Flagged",
  other: "A few chats",
} as const satisfies Record<AuditReport["drivers"][number]["key"], string>;
