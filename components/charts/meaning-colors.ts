/**
 * The color token of `globals.css` of each meaning, in charts as in badges: the badge variants `info`, `success`,
 * `destructive` and `warning` have the same tokens. Orange is for warnings only. The tokens differ in both themes also for
 * readers who can't tell red from green; a label, an icon or a mark always says the same as the color.
 */
export const MEANING_TOKENS = {
  sent: "info",
  received: "received",
  delivered: "success",
  failed: "destructive-text",
  warning: "warning",
  /** Counts without a meaning of their own. */
  other: "muted-foreground",
} as const;

export type Meaning = keyof typeof MEANING_TOKENS;

/** The CSS color of a meaning. */
export function colorOf(meaning: Meaning): string {
  return `var(--${MEANING_TOKENS[meaning]})`;
}
