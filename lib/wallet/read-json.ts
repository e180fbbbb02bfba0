import "server-only";
import type { z } from "zod";
import { fail } from "@/lib/platform/errors";

const MOST_CHARACTERS = 64 * 1024;

/** What a page of the wallet posts, of this shape. Errors: body_invalid. */
export async function readJson<Schema extends z.ZodType>(
  request: Request,
  schema: Schema,
): Promise<z.output<Schema>> {
  const text = await request.text();
  const parsed = text.length > MOST_CHARACTERS ? null : schema.safeParse(parse(text));
  return parsed?.success === true ? parsed.data : fail("body_invalid", "this is not what a passkey answers");
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
