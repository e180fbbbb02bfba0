import "server-only";
import type { DocumentedOperation } from "@/lib/docs/reference/documented-operations";
import type { DocumentedField } from "@/lib/docs/reference/fields-of";

/** An operation of the API reference as Markdown. */
export function describeOperation(operation: DocumentedOperation): string {
  const { id, method, path, summary, description, parameters, body, answer } = operation;
  const parts = [`## ${summary} {#${id}}`, `\`${method} ${path}\``, description];
  parts.push(...describeFields("Parameters", parameters));
  if (body !== null) parts.push(...describeFields("Request body", body.fields), ...jsonBlock(body.example));
  if (answer !== null) {
    parts.push(...describeFields(`Response ${answer.status}`, answer.fields), ...jsonBlock(answer.example));
  }
  return parts.join("\n\n");
}

/** A list of fields as Markdown, below a heading. Empty without fields. */
export function describeFields(title: string, fields: readonly DocumentedField[]): string[] {
  if (fields.length === 0) return [];
  const rows = fields.map(({ name, type, isRequired, description, condition }) => {
    const text = description.replaceAll("\n", " ");
    const when = condition === undefined ? "" : `, when ${condition}`;
    return `- **\`${name}\`** (${type}${isRequired ? ", required" : ""}${when}): ${text}`;
  });
  return [`### ${title}`, rows.join("\n")];
}

/** An example as a code block. Empty without an example. */
export function jsonBlock(value: unknown): string[] {
  return value === undefined ? [] : [`\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``];
}
