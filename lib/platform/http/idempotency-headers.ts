import "server-only";
import { z } from "zod";
import { maxUnits } from "@/lib/platform/text/max-units";

/**
 * Node reads the bytes of a header as Latin-1. Bytes that are valid UTF-8 are read as such, so that a key is the same
 * in the header and in the body (docs/contract.md, section 4.1). Other bytes stay Latin-1.
 */
function readUtf8(value: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(Buffer.from(value, "latin1"));
  } catch {
    return value;
  }
}

/**
 * Headers of operations that clients can repeat with an `Idempotency-Key`. Each operation has its own keys
 * (docs/contract.md, section 4.1).
 */
export const IdempotencyHeaders = z.object({
  "idempotency-key": z
    .string()
    .overwrite(readUtf8)
    .min(1)
    .check(maxUnits(255))
    .optional()
    .meta({
      description:
        "Key that makes a retry safe, up to 255 characters. A repeated request returns the original result.",
      examples: ["order-1042"],
    }),
});
