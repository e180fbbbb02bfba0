/** The limits and defaults of `turns`, in seconds. */
export const TURN_SECONDS = {
  quiet: { min: 0.5, max: 30, default: 2 },
  max: { min: 1, max: 120, default: 15 },
} as const;

/** Whether groups have turns by default. */
export const TURN_GROUPS = true;
