import type { ActionFields } from "@/components/experiences/action-fields";
import { fieldSchema } from "@/lib/payments/experiences/field-schema";

type ReadParams = {
  /** The params for a message's `experience`, without invalid values. */
  params: Record<string, string | number>;
  /** The error of each invalid field, by name. */
  problems: Record<string, string>;
  /** true if no field is invalid and no required field is empty. */
  isWhole: boolean;
};

/** Validates an action's form with the API's rules. Empty fields are omitted. */
export function readParams(
  fields: ActionFields,
  texts: Readonly<Record<string, string>>,
  ownHosts: readonly string[],
): ReadParams {
  const params: ReadParams["params"] = {};
  const problems: ReadParams["problems"] = {};
  for (const [name, field] of Object.entries(fields)) {
    const text = texts[name]?.trim() ?? "";
    if (text === "") continue;
    const isNumber = field.type === "cents" || field.type === "int";
    const result = fieldSchema(field, ({ host }) => ownHosts.includes(host)).safeParse(
      isNumber ? Number(text) : text,
    );
    if (result.success) params[name] = result.data;
    else problems[name] = result.error.issues[0]?.message ?? "is invalid";
  }
  const isMissing = Object.entries(fields).some(
    ([name, { required = false }]) => required && params[name] === undefined,
  );
  return { params, problems, isWhole: !isMissing && Object.keys(problems).length === 0 };
}
