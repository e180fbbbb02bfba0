/** A text to look for: a part of it, or a pattern. Omitted, every text matches. */
export type TextMatch = string | RegExp | undefined;

/** Whether a text contains the string or matches the pattern. */
export function matchesText(match: TextMatch, text: string): boolean {
  if (match === undefined) return true;
  // A pattern with the flag g would continue where its last match ended.
  return typeof match === "string" ? text.includes(match) : text.search(match) !== -1;
}

/** Names what a match looks for, for messages. */
export function describeMatch(match: TextMatch): string {
  if (match === undefined) return "";
  return typeof match === "string" ? ` containing ${JSON.stringify(match)}` : ` matching ${match}`;
}
