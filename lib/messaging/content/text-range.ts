import "server-only";
import { z } from "zod";

/** Part of a text: [start, end) in UTF-16 units (docs/contract.md, section 6.2). */
export const TextRange = z.tuple([z.int().min(0), z.int().min(1)]).meta({
  description: "Range of the text in UTF-16 code units: start inclusive, end exclusive.",
  examples: [[0, 10]],
});

export type TextRange = z.infer<typeof TextRange>;

interface Ranged {
  range: TextRange;
}

/**
 * Returns the error in a list of ranges, or null. Each range must be non-empty, lie within the text, and cut no
 * character.
 */
export function findRangeError(text: string, ranged: readonly Ranged[]): string | null {
  for (const { range } of ranged) {
    const [start, end] = range;
    if (start >= end || end > text.length) {
      return `range [${range}] is not within the text's ${text.length} UTF-16 units`;
    }
    if (cutsPair(text, start) || cutsPair(text, end)) {
      return `range [${range}] splits a surrogate pair: a character such as an emoji counts as two UTF-16 units`;
    }
  }
  return null;
}

/** As `findRangeError`, and also rejects overlapping ranges. */
export function validateDisjointRanges(text: string, ranged: readonly Ranged[]): string | null {
  const wrong = findRangeError(text, ranged);
  if (wrong !== null) return wrong;
  const sorted = [...ranged].sort((left, right) => left.range[0] - right.range[0]);
  const second = sorted.find((one, index) => one.range[0] < (sorted[index - 1]?.range[1] ?? 0));
  return second === undefined ? null : `the range [${second.range}] overlaps another`;
}

function cutsPair(text: string, place: number): boolean {
  return (
    place > 0 && /[\ud800-\udbff]/.test(text[place - 1] ?? "") && /[\udc00-\udfff]/.test(text[place] ?? "")
  );
}
