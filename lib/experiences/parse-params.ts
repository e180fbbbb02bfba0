import "server-only";
import { z } from "zod";
import type { Field } from "@/lib/experiences/registry";
import { isOwnUrl } from "@/lib/platform/env";
import { fail } from "@/lib/platform/errors";

const STRING_MOST = 512;
const URL_MOST = 2048;

const SCHEMAS = {
  string: ({ max = STRING_MOST }: Field) =>
    z.string("must be a string").min(1, "must not be empty").max(max, `must have at most ${max} characters`),
  url: ({ max = URL_MOST }: Field) =>
    z
      .string("must be a string")
      .max(max, `must have at most ${max} characters`)
      .refine(isHttps, "must be an absolute https URL"),
  cents: () => z.int("must be a whole number of minor units").min(0, "must not be negative"),
  int: () => z.int("must be a whole number"),
} as const satisfies Record<Field["type"], (field: Field) => z.ZodType<string | number>>;

/**
 * The params of an action, checked strictly against its fields: types, lengths, absolute https urls, nothing missing and
 * nothing unknown (partner-api.md, Experiences). Errors: parameter_invalid, naming the field.
 */
export function parseParams(
  fields: Readonly<Record<string, Field>>,
  params: Readonly<Record<string, unknown>>,
): Record<string, string | number> {
  const unknown = Object.keys(params).find((name) => !Object.hasOwn(fields, name));
  if (unknown !== undefined) {
    const known = Object.keys(fields).join(", ");
    fail(
      "parameter_invalid",
      `message.experience.params.${unknown} is no field of this action; it takes ${known}`,
    );
  }

  const parsed: Record<string, string | number> = {};
  for (const [name, field] of Object.entries(fields)) {
    const value = parseField(name, field, params[name]);
    if (value !== undefined) parsed[name] = value;
  }
  return parsed;
}

function parseField(name: string, field: Field, value: unknown): string | number | undefined {
  const where = `message.experience.params.${name}`;
  if (value === undefined && field.required !== true) return undefined;
  if (value === undefined) fail("parameter_invalid", `${where} is required`);
  const result = SCHEMAS[field.type](field).safeParse(value);
  return result.success
    ? result.data
    : fail("parameter_invalid", `${where} ${result.error.issues[0]?.message}`);
}

// Addresses of this instance count as https whatever their scheme (contract.md 0).
function isHttps(text: string): boolean {
  if (!/^https?:\/\//i.test(text)) return false;
  const url = URL.parse(text);
  return url !== null && (url.protocol === "https:" || isOwnUrl(url));
}
