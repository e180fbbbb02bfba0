import "server-only";
import type { ErrorName } from "@/lib/platform/errors/errors";

type Json = Record<string, unknown>;

/** The input of an operation, as its document describes it. */
interface DocumentedInput {
  parameters: readonly Json[];
  /** Undefined for an operation without a body. */
  body: Json | undefined;
}

/** Keywords that exclude no text. */
const OPEN = new Set(["type", "description", "examples", "example", "default"]);

/**
 * The errors of an operation whose path, query or body is invalid. `resolve` returns the schema that a reference names, and any
 * other schema as it is.
 */
export function inputErrorsOf(
  { parameters, body }: DocumentedInput,
  resolve: (schema: Json) => Json,
): ErrorName[] {
  const inPath = parameters.filter((one) => one.in === "path");
  const others = parameters.filter((one) => one.in !== "path");
  const isRestricted = ({ schema }: Json) =>
    Object.keys(schema as Json).some((keyword) => !OPEN.has(keyword));
  const hasBody = body !== undefined;
  const names: [ErrorName, boolean][] = [
    ["body_invalid", hasBody],
    ["body_encoded", hasBody],
    [
      "field_missing",
      others.some(({ required }) => required === true) || (hasBody && needsField(body, resolve)),
    ],
    ["parameter_invalid", inPath.some(isRestricted) || others.length > 0 || hasBody],
  ];
  return names.flatMap(([name, isPossible]) => (isPossible ? [name] : []));
}

/** Whether an object needs a field, in a union whichever schema it has. */
function needsField(schema: Json, resolve: (schema: Json) => Json): boolean {
  const { required = [], allOf = [], anyOf, oneOf } = resolve(schema) as Record<string, Json[] | undefined>;
  const needs = (one: Json) => needsField(one, resolve);
  return required.length > 0 || allOf.some(needs) || (anyOf ?? oneOf)?.every(needs) === true;
}
