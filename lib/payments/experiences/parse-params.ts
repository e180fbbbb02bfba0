import "server-only";
import { fieldSchema } from "@/lib/payments/experiences/field-schema";
import type { Field } from "@/lib/payments/experiences/registry";
import { isOwnUrl } from "@/lib/platform/env";
import { fail } from "@/lib/platform/errors/errors";

/**
 * Checks the params of an action strictly against its fields: types, lengths, absolute https URLs, no missing and no
 * unknown fields (docs/contract.md, section 15). Errors: field_missing and parameter_invalid, naming the field.
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
      `message.experience.params.${unknown} is not a field of this action: use ${known}`,
    );
  }

  const parsed: Record<string, string | number> = {};
  for (const [name, field] of Object.entries(fields)) {
    // An explicit null counts as absent (docs/contract.md, section 1.2).
    const value = parseField(name, field, params[name] ?? undefined);
    if (value !== undefined) parsed[name] = value;
  }
  return parsed;
}

function parseField(name: string, field: Field, value: unknown): string | number | undefined {
  const where = `message.experience.params.${name}`;
  if (value === undefined && field.required !== true) return undefined;
  if (value === undefined) fail("field_missing", `${where} is required`);
  const result = fieldSchema(field, isOwnUrl).safeParse(value);
  return result.success
    ? result.data
    : fail("parameter_invalid", `${where} ${result.error.issues[0]?.message}`);
}
