import "server-only";
import { z } from "zod";
import { maxUnits } from "@/lib/platform/text/max-units";

const MAX_SECONDS = 30;

/** `?timeout=`: seconds to wait for a match; 0 returns immediately. */
export const waitTimeout = z
  .string()
  .regex(/^\d{1,2}(\.\d{1,3})?$/, "timeout must be a number of seconds")
  .transform(Number)
  .refine((value) => value <= MAX_SECONDS, `timeout must be at most ${MAX_SECONDS} seconds`)
  .default(0)
  .meta({
    description: `Seconds to wait until at least one item matches, up to ${MAX_SECONDS}, by the wall clock. If none matches in time, the list is empty. Defaults to 0.`,
    examples: ["5"],
  });

export const containedText = z.string().min(1).check(maxUnits(1000)).optional();
