import type { ActivityRange } from "@/lib/events/activity/activity-range";

/** The ranges of activity in a sentence: "on the 7 days before". */
export const RANGE_NAMES = {
  "24h": "24 hours",
  "7d": "7 days",
  "30d": "30 days",
  "90d": "90 days",
} as const satisfies Record<ActivityRange, string>;
