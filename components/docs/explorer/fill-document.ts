import type { ExplorerValues } from "@/lib/docs/reference/get-explorer-values";

interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema?: { enum?: unknown[]; examples?: unknown[]; default?: unknown; [key: string]: unknown };
  example?: unknown;
}
interface Operation {
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { example?: unknown }> };
}

/** The parts of an OpenAPI document that the explorer reads and fills. */
export interface ExplorerDocument {
  paths: Record<string, Record<string, Operation>>;
  tags: { name: string; description?: string }[];
  components: { schemas: Record<string, unknown>; [key: string]: unknown };
  webhooks?: unknown;
}

/** The line and the recipient in every example of openapi.json. */
const SAMPLE_LINE = "+12025550100";
const SAMPLE_PHONE = "+12025550123";
const SAMPLE_CHAT = /^019ca9c2-4c0[23]-/;

const CONSTANTS: Readonly<Record<string, string>> = { provider: "servicecard", experience: "servicepay" };

/**
 * Joins OpenAPI documents and fills the account's values into the examples of every operation: its line, its phone and
 * its latest chat, message and other resources. Without values, the examples stay. Webhooks are left out, because they
 * can't be called.
 */
export function fillDocument(
  documents: readonly ExplorerDocument[],
  values: ExplorerValues | null,
): ExplorerDocument {
  const [first, ...others] = structuredClone(documents) as ExplorerDocument[];
  if (first === undefined) throw new Error("no document is given");
  const { webhooks: _, ...joined } = first;
  for (const { paths, tags, components } of others) {
    Object.assign(joined.paths, paths);
    joined.tags.push(...tags.filter(({ name }) => joined.tags.every((tag) => tag.name !== name)));
    joined.components.schemas = { ...components.schemas, ...joined.components.schemas };
  }
  const operations = Object.values(joined.paths).flatMap((methods) => Object.values(methods));
  for (const { parameters = [] } of operations) for (const each of parameters) leaveOut(each);
  if (values === null) return joined;
  for (const operation of operations) {
    for (const parameter of operation.parameters ?? []) fillParameter(parameter, values);
    for (const body of Object.values(operation.requestBody?.content ?? {})) {
      body.example = fillExample(body.example, values);
    }
  }
  return joined;
}

/** The client sends every parameter that has a value to choose. An optional one is left out until it is filled in. */
function leaveOut(parameter: Parameter): void {
  const { required = false, description = "", schema } = parameter;
  if (required || schema === undefined) return;
  const { enum: choices, examples: _, default: __, ...type } = schema;
  parameter.schema = type;
  if (choices !== undefined) parameter.description = `${description} One of: ${choices.join(", ")}.`.trim();
}

function fillParameter(parameter: Parameter, { line, phone, ids }: ExplorerValues): void {
  if (parameter.in !== "path") return;
  const { name } = parameter;
  const value =
    name === "phoneNumber"
      ? line
      : name === "handle"
        ? phone
        : (ids[name as keyof typeof ids] ?? CONSTANTS[name]);
  if (value != null) parameter.example = value;
}

function fillExample(example: unknown, values: ExplorerValues): unknown {
  if (Array.isArray(example)) return example.map((each) => fillExample(each, values));
  if (typeof example === "object" && example !== null) {
    return Object.fromEntries(
      Object.entries(example).map(([key, value]) => [key, fillField(key, value, values)]),
    );
  }
  if (example === SAMPLE_LINE) return values.line ?? example;
  if (example === SAMPLE_PHONE) return values.phone ?? example;
  return example;
}

function fillField(key: string, value: unknown, values: ExplorerValues): unknown {
  if (key === "chat_id" || (key === "to" && typeof value === "string" && SAMPLE_CHAT.test(value))) {
    return values.ids.chatId ?? value;
  }
  if (key === "message_id") return values.ids.messageId ?? value;
  return fillExample(value, values);
}
