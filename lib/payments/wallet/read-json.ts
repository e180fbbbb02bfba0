import "server-only";
import type { z } from "zod";
import { fail } from "@/lib/platform/errors/errors";
import { type BodyLimit, readBody } from "@/lib/platform/http/read-body";

/** The size limit of a passkey's response. An attestation has a few KB. */
export const PASSKEY_LIMIT_BYTES = 16 * 1024;

/** Parses the posted body of a wallet page with a schema. Errors: body_invalid, body_too_slow. */
export async function readJson<Schema extends z.ZodType>(
  request: Request,
  schema: Schema,
  limit: BodyLimit,
): Promise<z.output<Schema>> {
  const parsed = schema.safeParse(parse(await readBody(request, limit)));
  return parsed.success ? parsed.data : fail("body_invalid", "the body must be a passkey response in JSON");
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
