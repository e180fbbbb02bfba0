import "server-only";
import { z } from "zod";
import type { Contract } from "@/lib/platform/contract";
import { errorDocUrl } from "@/lib/platform/errors/error-doc-url";
import { ERRORS, type ErrorName } from "@/lib/platform/errors/errors";
import { API_TAGS } from "@/lib/runtime/openapi/api-tags";
import { exampleOf } from "@/lib/runtime/openapi/example-of";
import { inputErrorsOf } from "@/lib/runtime/openapi/input-errors";

type Json = Record<string, unknown>;
type Io = "input" | "output";

const SCHEMAS = "#/components/schemas/";
const ERROR_ENVELOPE = `${SCHEMAS}ErrorEnvelope`;

/** An operation of the API: its method, path and contract. */
export interface Operation {
  method: string;
  /** Parameters are written as `{name}`. */
  path: string;
  contract: Contract;
}

/** An event in the `webhooks` section. */
export interface WebhookDescription {
  type: string;
  group: string;
  summary: string;
  description: string;
  /** Subscriptions accept the type, but it is never sent. */
  neverSent: boolean;
  payload: z.ZodType;
  example: unknown;
}

const ON_EVERY_OPERATION: readonly ErrorName[] = ["unauthorized", "rate_limited", "internal"];

export interface DocumentTitle {
  title: string;
  description: string;
  /** Path prefixes, relative to the instance's base URL. */
  prefixes: readonly string[];
}

/** Generates an OpenAPI 3.1 document from contracts and the event catalog. The files are never edited by hand. */
export function toOpenApi(
  { title, description, prefixes }: DocumentTitle,
  operations: readonly Operation[],
  webhooks: readonly WebhookDescription[] = [],
): Json {
  const schemas: Json = {};
  const paths: Record<string, Json> = {};
  const ids = new Set<string>();
  for (const { method, path, contract } of operations) {
    const id = operationId(method, path);
    const operationName = ids.has(id) ? `${id}Alias` : id;
    ids.add(id);
    const operation = { operationId: operationName, ...toOperation(contract, schemas) };
    paths[path] = { ...paths[path], [method.toLowerCase()]: operation };
  }
  const tags = [...operations.map(({ contract }) => contract.tag), ...webhooks.map(({ group }) => group)];
  const document = {
    openapi: "3.1.0",
    info: {
      title,
      version: "3",
      description,
      contact: { name: "Trunkline", url: "http://localhost:3000/docs" },
    },
    tags: [...new Set(tags)].sort().map((name) => ({ name, description: API_TAGS[name] })),
    servers: prefixes.map((prefix) => ({ url: `http://localhost:3000${prefix}` })),
    security: [{ token: [] }],
    paths,
    ...(webhooks.length === 0 ? {} : { webhooks: toWebhooks(webhooks, schemas) }),
  };
  return withExamples(assignSchemaNames(document, schemas));
}

function toOperation(contract: Contract, schemas: Json): Json {
  const parameters = [
    ...toParameters("path", contract.params, schemas),
    ...toParameters("query", contract.query, schemas),
    ...toParameters("header", contract.headers, schemas),
  ];
  const body = contract.body === undefined ? undefined : toSchema(contract.body, "input", schemas);
  const resolve = (schema: Json) =>
    typeof schema.$ref === "string" ? (schemas[schema.$ref.slice(SCHEMAS.length)] as Json) : schema;
  const errors = [...contract.errors, ...inputErrorsOf({ parameters, body }, resolve), ...ON_EVERY_OPERATION];
  return {
    summary: contract.summary,
    description: contract.description,
    tags: [contract.tag],
    ...(contract.extension === true ? { "x-trunkline-extension": true } : {}),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body === undefined ? {} : { requestBody: toRequestBody(body, contract) }),
    responses: { [contract.status]: toSuccess(contract, schemas), ...toErrors(errors) },
  };
}

function operationId(method: string, path: string): string {
  const words = path.split(/[^A-Za-z0-9]+/).filter((word) => word !== "" && word !== "v3");
  return [method.toLowerCase(), ...words.map((word) => word.charAt(0).toUpperCase() + word.slice(1))].join(
    "",
  );
}

function toParameters(
  place: "path" | "query" | "header",
  schema: z.ZodType | undefined,
  schemas: Json,
): Json[] {
  if (schema === undefined) return [];
  const { properties, required } = toSchema(schema, "input", schemas);
  const names = Array.isArray(required) ? required : [];
  return Object.entries((properties ?? {}) as Record<string, Json>).map(
    ([name, { description, ...property }]) => ({
      name,
      in: place,
      description,
      required: place === "path" || names.includes(name),
      schema: property,
    }),
  );
}

function toRequestBody(schema: Json, { bodyOptional }: Contract): Json {
  return { required: bodyOptional !== true, content: { "application/json": { schema } } };
}

function toSuccess(contract: Contract, schemas: Json): Json {
  const headers = { "X-Trace-ID": { schema: { type: "string", pattern: "^[0-9a-f]{32}$" } } };
  const { returns, streams, summary } = contract;
  const answer = returns ?? streams;
  if (answer === undefined) return { description: "Success, without a response body", headers };
  const mediaType = returns === undefined ? "text/event-stream" : "application/json";
  return {
    description: summary,
    headers,
    content: { [mediaType]: { schema: toSchema(answer, "output", schemas) } },
  };
}

function toErrors(errors: readonly ErrorName[]): Json {
  const byStatus = new Map<number, string[]>();
  for (const name of new Set(errors)) {
    const { status, code, message } = ERRORS[name];
    const path = new URL(errorDocUrl(code)).pathname;
    byStatus.set(status, [...(byStatus.get(status) ?? []), `- \`${code}\` [${message}](${path})`]);
  }
  return Object.fromEntries(
    [...byStatus].map(([status, lines]) => [
      status,
      {
        description: lines.join("\n"),
        content: { "application/json": { schema: { $ref: ERROR_ENVELOPE } } },
      },
    ]),
  );
}

function toWebhooks(webhooks: readonly WebhookDescription[], schemas: Json): Json {
  return Object.fromEntries(webhooks.map((webhook) => [webhook.type, toWebhook(webhook, schemas)]));
}

function toWebhook(webhook: WebhookDescription, schemas: Json): Json {
  const { type, group, summary, description, neverSent, payload, example } = webhook;
  const content = { "application/json": { schema: toSchema(payload, "output", schemas), example } };
  return {
    post: {
      operationId: `webhook.${type}`,
      summary,
      description,
      tags: [group],
      ...(neverSent ? { "x-trunkline-never-sent": true } : {}),
      requestBody: { required: true, content },
      responses: { "2XX": { description: "Received. Respond within 10 seconds." } },
    },
  };
}

/**
 * Converts a zod schema to JSON Schema. A schema with an id is stored in `components.schemas` as `<id>:<io>` until
 * `assignSchemaNames` knows whether its input and output are identical.
 */
function toSchema(schema: z.ZodType, io: Io, schemas: Json): Json {
  const json = z.toJSONSchema(schema, {
    io,
    unrepresentable: "any",
    override: ({ zodSchema, jsonSchema }) => {
      trim(jsonSchema, io);
      keepExamples(jsonSchema, zodSchema);
    },
  });
  eachSchema(json, (schema) => {
    closeTuple(schema);
    hoistDescription(schema);
  });
  const { $schema: _, $defs, ...rest } = json as Json;
  for (const [id, definition] of Object.entries(($defs ?? {}) as Json)) {
    schemas[`${id}:${io}`] = rewriteReferences(withoutId(definition), io);
  }
  return rewriteReferences(withoutId(rest), io) as Json;
}

// Responses may gain fields at any time, so they are not closed. A format says more than its long pattern.
function trim(schema: Json, io: Io): void {
  if (io === "output" && schema.additionalProperties === false) delete schema.additionalProperties;
  if (schema.format === "uuid" || schema.format === "date-time") delete schema.pattern;
}

// zod omits the examples of a schema with a transform from its input schema.
function keepExamples(schema: Json, zodSchema: z.core.$ZodType): void {
  const examples = z.globalRegistry.get(zodSchema as z.ZodType)?.examples;
  if (examples !== undefined) schema.examples = examples;
}

function eachSchema(value: unknown, change: (schema: Json) => void): void {
  if (typeof value !== "object" || value === null) return;
  for (const item of Object.values(value)) eachSchema(item, change);
  if (!Array.isArray(value)) change(value as Json);
}

// Tools that don't support prefixItems treat a tuple as a fixed-length array of its first item's type.
function closeTuple(schema: Json): void {
  if (!Array.isArray(schema.prefixItems)) return;
  schema.items = { type: (schema.prefixItems[0] as Json).type };
  schema.minItems = schema.prefixItems.length;
  schema.maxItems = schema.prefixItems.length;
}

// A description applies to the whole union of the value and null.
function hoistDescription(schema: Json): void {
  const [inner, none, ...others] = Array.isArray(schema.anyOf) ? (schema.anyOf as Json[]) : [];
  if (inner === undefined || none?.type !== "null" || others.length > 0) return;
  const { description } = inner;
  if (schema.description !== undefined || description === undefined) return;
  schema.description = description;
  delete inner.description;
}

function rewriteReferences(value: unknown, io: Io): unknown {
  return mapRefs(value, (ref) => `${ref.replace("#/$defs/", SCHEMAS)}:${io}`);
}

/** Assigns final schema names: `<id>` if input and output are identical, else `<id>Input` and `<id>`. */
function assignSchemaNames(document: Json, schemas: Json): Json {
  const plain = (value: unknown) => JSON.stringify(mapRefs(value, (ref) => ref.replace(/:\w+$/, "")));
  const ids = Object.keys(schemas).map((name) => name.replace(/:\w+$/, ""));
  const differing = new Set(
    ids.filter((id) => {
      const [input, output] = [schemas[`${id}:input`], schemas[`${id}:output`]];
      return input !== undefined && output !== undefined && plain(input) !== plain(output);
    }),
  );
  const nameOf = (name: string) => {
    const [id = name, io] = name.split(":");
    return io === "input" && differing.has(id) ? `${id}Input` : id;
  };
  const rename = (value: unknown) => mapRefs(value, (ref) => SCHEMAS + nameOf(ref.slice(SCHEMAS.length)));
  const named = Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [nameOf(name), rename(schema)]),
  );
  return { ...(rename(document) as Json), components: components(sorted(named)) };
}

/** Adds an example composed from its schema to every body without one. */
function withExamples(document: Json): Json {
  const { schemas } = document.components as { schemas: Record<string, Json> };
  for (const path of Object.values(document.paths as Record<string, Record<string, Json>>)) {
    for (const { requestBody, responses } of Object.values(path)) {
      const bodies = [requestBody, ...Object.values(responses as Json)] as ({ content?: Json } | undefined)[];
      for (const content of bodies.flatMap((body) => Object.values(body?.content ?? {}))) {
        addExample(content as Json, schemas);
      }
    }
  }
  return document;
}

function addExample(content: Json, schemas: Record<string, Json>): void {
  const schema = content.schema as Json;
  if (schema.$ref === ERROR_ENVELOPE) return;
  const example = exampleOf(schema, schemas);
  // An inline schema's example is listed once, beside the schema.
  if (!("$ref" in schema)) delete schema.examples;
  if (example !== undefined) content.example = example;
}

function mapRefs(value: unknown, change: (ref: string) => string): unknown {
  if (Array.isArray(value)) return value.map((item) => mapRefs(item, change));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) =>
      key === "$ref" && typeof item === "string" && item !== ERROR_ENVELOPE
        ? [key, change(item)]
        : [key, mapRefs(item, change)],
    ),
  );
}

function withoutId(value: unknown): unknown {
  if (typeof value !== "object" || value === null || !("id" in value) || typeof value.id !== "string")
    return value;
  const { id: _, ...rest } = value;
  return rest;
}

function components(schemas: Json): Json {
  return {
    securitySchemes: { token: { type: "http", scheme: "bearer" } },
    schemas: { ...schemas, ErrorEnvelope: errorEnvelope() },
  };
}

function sorted(schemas: Json): Json {
  return Object.fromEntries(Object.entries(schemas).sort(([left], [right]) => (left < right ? -1 : 1)));
}

function errorEnvelope(): Json {
  const error = z.object({
    status: z.int().describe("HTTP status code of the response."),
    code: z.int().describe("Error code. The error reference has a page for each code."),
    message: z.string().describe("Description of the failure and of the next step. The wording may change."),
    doc_url: z.url().describe("URL of the error reference page for the code."),
    retry_after: z
      .int()
      .optional()
      .describe("Seconds to wait before you retry. Present on every 429 response."),
    oldest: z
      .string()
      .nullable()
      .optional()
      .describe(
        "ID of the oldest event in the log; `null` without any. Present on 410 responses. A Trunkline extension.",
      ),
  });
  const { $schema: _, ...schema } = z.toJSONSchema(
    z
      .object({
        success: z.literal(false).describe("Always `false`."),
        error: error.describe("The error."),
        trace_id: z.string().describe("Trace ID of the request, the same as in the `X-Trace-ID` header."),
      })
      .describe("The body of every error response."),
  ) as Json;
  return schema;
}
