/** The ranges of activity that Home shows, all ending now. */
export const ACTIVITY_RANGES = ["24h", "7d", "30d", "90d"] as const;

export type ActivityRange = (typeof ACTIVITY_RANGES)[number];
