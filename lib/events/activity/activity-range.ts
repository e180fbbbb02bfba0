/** The ranges of activity that Home shows, all ending now. */
export const ACTIVITY_RANGES = ["24h", "7d", "30d", "90d"] as const;

/** How long each range is, in ms. */
export const RANGE_MS: Readonly<Record<ActivityRange, number>> = {
  "24h": 86_400_000,
  "7d": 7 * 86_400_000,
  "30d": 30 * 86_400_000,
  "90d": 90 * 86_400_000,
};

export type ActivityRange = (typeof ACTIVITY_RANGES)[number];
