import "server-only";
import { z } from "zod";

const UNIT_MS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const MAX_MS = 366 * UNIT_MS.d;
const TEXT = /^(\d{1,12}(?:\.\d{1,6})?)(ms|s|m|h|d)$/;

/** A duration such as "16m", "24h" or "2d", or a number of seconds. Parsed to whole milliseconds, up to 366 days. */
export const Duration = z
  .union([
    z.string().regex(TEXT, "use a number and a unit: ms, s, m, h or d, such as 16m"),
    z.number().min(0),
  ])
  .transform(toMs)
  .refine((ms) => ms <= MAX_MS, "must be at most 366 days")
  .meta({ examples: ["16m", "24h", 90] });

function toMs(value: string | number): number {
  if (typeof value === "number") return Math.round(value * UNIT_MS.s);
  const [, amount = "0", unit = "s"] = TEXT.exec(value) ?? [];
  return Math.round(Number(amount) * UNIT_MS[unit as keyof typeof UNIT_MS]);
}
