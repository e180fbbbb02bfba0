import { z } from "zod";
import type { Field } from "@/lib/payments/experiences/registry";
import { maxUnits } from "@/lib/platform/text/max-units";

const MAX_STRING = 512;
const MAX_URL = 2048;

/** Whether a URL belongs to this instance. */
type IsOwn = (url: URL) => boolean;

const SCHEMAS = {
  string: ({ max = MAX_STRING }: Field) =>
    z
      .string("must be a string")
      .min(1, "must not be empty")
      .check(maxUnits(max, `must have at most ${max} characters`)),
  url: ({ max = MAX_URL }: Field, isOwn: IsOwn) =>
    z
      .string("must be a string")
      .check(maxUnits(max, `must have at most ${max} characters`))
      .refine((text) => isHttps(text, isOwn), "must be an absolute https URL"),
  cents: () => z.int("must be a whole number of minor units").min(0, "must not be negative"),
  int: () => z.int("must be a whole number"),
} as const satisfies Record<Field["type"], (field: Field, isOwn: IsOwn) => z.ZodType<string | number>>;

/** The schema of one field of an action, for the API and the dashboard's form (docs/contract.md, section 15). */
export function fieldSchema(field: Field, isOwn: IsOwn): z.ZodType<string | number> {
  return SCHEMAS[field.type](field, isOwn);
}

// URLs of this instance count as https, whatever their scheme (docs/contract.md, section 1.1).
function isHttps(text: string, isOwn: IsOwn): boolean {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return false;
  const url = new URL(text);
  return url.protocol === "https:" || isOwn(url);
}
