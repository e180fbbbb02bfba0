import "server-only";
import { z } from "zod";
import { findRangeError, TextRange } from "@/lib/messaging/content/text-range";
import { ANIMATIONS, STYLES } from "@/lib/messaging/content/text-styles";

/** A range of a text, in UTF-16 code units, with exactly one style or animation (docs/contract.md, section 6.2). */
export const TextDecoration = z
  .object({
    range: TextRange,
    style: z.enum(STYLES).optional().describe("Style of the range."),
    animation: z.enum(ANIMATIONS).optional().describe("Animation of the range."),
  })
  .refine((decoration) => (decoration.style === undefined) !== (decoration.animation === undefined), {
    message: "set exactly one of style and animation",
  })
  .meta({
    id: "TextDecoration",
    description:
      "Formatting of a range of text: exactly one of `style` and `animation`. Ranges with styles can overlap; a range with an animation cannot overlap another range. iMessage only.",
    examples: [{ range: [0, 10], style: "bold" }],
  });

export type TextDecoration = z.infer<typeof TextDecoration>;

/**
 * Returns the error in a text's decorations, or null. Ranges must be non-empty and within the text. Styles may overlap
 * each other, but an animation may not overlap anything (docs/contract.md, section 6.2).
 */
export function findDecorationError(text: string, decorations: readonly TextDecoration[]): string | null {
  const wrong = findRangeError(text, decorations);
  if (wrong !== null) return wrong;

  const sorted = [...decorations].sort((left, right) => left.range[0] - right.range[0]);
  let animationEnd = 0;
  let anyEnd = 0;
  for (const { range, animation } of sorted) {
    const [start, end] = range;
    if (start < animationEnd || (animation !== undefined && start < anyEnd)) {
      return `the animation at [${range}] overlaps another decoration`;
    }
    if (animation !== undefined) animationEnd = Math.max(animationEnd, end);
    anyEnd = Math.max(anyEnd, end);
  }
  return null;
}
