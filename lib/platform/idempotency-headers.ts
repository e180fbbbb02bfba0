import "server-only";
import { z } from "zod";
import { maxUnits } from "@/lib/platform/max-units";

/**
 * Headers of operations that clients can repeat with an `Idempotency-Key`. Each operation has its own keys
 * (contract.md 0).
 */
export const IdempotencyHeaders = z.object({
  "idempotency-key": z
    .string()
    .min(1)
    .check(maxUnits(255))
    .optional()
    .meta({
      description:
        "Key that makes a retry safe, up to 255 characters. A repeated request returns the original result.",
      examples: ["order-1042"],
    }),
});
