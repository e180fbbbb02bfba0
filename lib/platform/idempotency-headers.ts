import "server-only";
import { z } from "zod";
import { maxUnits } from "@/lib/platform/max-units";

/** Of the operations a client may repeat by `Idempotency-Key`; the key space is the operation's own (contract.md 0). */
export const IdempotencyHeaders = z.object({
  "idempotency-key": z
    .string()
    .min(1)
    .check(maxUnits(255))
    .optional()
    .meta({
      description:
        "Key that makes a repeat safe, up to 255 characters. A repeat returns the original result.",
      examples: ["order-1042"],
    }),
});
