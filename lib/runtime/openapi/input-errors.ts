import "server-only";
import { z } from "zod";
import type { Contract } from "@/lib/platform/contract";
import type { ErrorName } from "@/lib/platform/errors/errors";

/** Keywords that exclude no text. */
const OPEN = new Set(["type", "description", "examples", "example", "default"]);

/** The errors of an operation whose path, query or body is invalid, from the schemas that `parseInput` parses with. */
export function inputErrorsOf({ params, query, headers, body }: Contract): ErrorName[] {
  const inPath = propertiesOf(params).some(({ keywords }) => keywords.some((keyword) => !OPEN.has(keyword)));
  const inQuery = [...propertiesOf(query), ...propertiesOf(headers)];
  const inBody = propertiesOf(body);
  const names: [ErrorName, boolean][] = [
    ["body_invalid", body !== undefined],
    ["body_encoded", body !== undefined],
    ["field_missing", [...inQuery, ...inBody].some(({ isRequired }) => isRequired)],
    ["parameter_invalid", inPath || inQuery.length > 0 || inBody.length > 0],
  ];
  return names.flatMap(([name, isPossible]) => (isPossible ? [name] : []));
}

function propertiesOf(schema: z.ZodType | undefined): { keywords: string[]; isRequired: boolean }[] {
  if (schema === undefined) return [];
  const json = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  const { properties = {}, required = [], allOf = [], anyOf = [], oneOf = [] } = json;
  if ([...allOf, ...anyOf, ...oneOf].length > 0 || json.$ref !== undefined) {
    return [{ keywords: ["anyOf"], isRequired: false }];
  }
  return Object.entries(properties).map(([name, property]) => ({
    keywords: typeof property === "object" ? Object.keys(property) : [],
    isRequired: required.includes(name),
  }));
}
