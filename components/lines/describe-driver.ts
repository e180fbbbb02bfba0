import type { AuditReport } from "@/lib/lines/reputation/reputation-audit";

/** What weighs on a line, by the key of the report. */
export const DRIVER_NAMES = {
  low_engagement: "Low engagement",
  overall_conversation_health: "Conversation health",
  volume_spike: "Volume spike",
  new_conversation_rate: "New conversations",
  opt_out_handling: "Opt-out handling",
  flagged: "Flagged",
  other: "Single chats",
} as const satisfies Record<AuditReport["drivers"][number]["key"], string>;
