import type { ActionFields } from "@/components/experiences/action-fields";
import { fieldSchema } from "@/lib/payments/experiences/field-schema";

type ReadParams = {
  /** As a message's `experience` takes them; what is not right is left out. */
  params: Record<string, string | number>;
  /** What is wrong with a field that is filled in, by its name. */
  problems: Record<string, string>;
  /** Nothing is wrong, and nothing that is required is missing. */
  isWhole: boolean;
};

/** What somebody typed into an action's form, checked as the API checks it. An empty field is left out. */
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
    else problems[name] = result.error.issues[0]?.message ?? "is not right";
  }
  const isMissing = Object.entries(fields).some(
    ([name, { required = false }]) => required && params[name] === undefined,
  );
  return { params, problems, isWhole: !isMissing && Object.keys(problems).length === 0 };
}
