import { z } from "zod";

/**
 * Limits strings to `maximum` UTF-16 units, as the specification counts (docs/contract.md, section 1.2). zod's `.max()`
 * counts code points, so 10,000 emoji would pass as 10,000 units. OpenAPI shows it as `maxLength`.
 */
export function maxUnits(maximum: number, error?: string) {
  const check = z.maxLength(maximum, error) as z.core.$ZodCheck<string>;
  check._zod.check = (payload) => {
    if (payload.value.length <= maximum) return;
    const { value: input } = payload;
    payload.issues.push({ origin: "string", code: "too_big", maximum, inclusive: true, input, inst: check });
  };
  return check;
}
