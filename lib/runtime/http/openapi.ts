import "server-only";
import { z } from "zod";
import type { Contract } from "@/lib/platform/contract";
import { errorDocUrl } from "@/lib/platform/error-docs/error-doc-url";
import { ERRORS, type ErrorName } from "@/lib/platform/errors";

type Json = Record<string, unknown>;
type Io = "input" | "output";

const SCHEMAS = "#/components/schemas/";
const ERROR_ENVELOPE = `${SCHEMAS}ErrorEnvelope`;

/** An operation of the API: where it is and its contract. */
export interface Operation {
  method: string;
  /** With `{name}` for its parameters. */
  path: string;
  contract: Contract;
}

/** An event as the `webhooks` section shows it. */
export interface WebhookDescription {
  type: string;
  group: string;
  summary: string;
  /** It can be subscribed to and never comes. */
  neverSent: boolean;
  payload: z.ZodType;
  example: unknown;
}

const ON_EVERY_OPERATION: readonly ErrorName[] = ["unauthorized", "rate_limited", "internal"];

/** What a document is about. */
export interface DocumentTitle {
  title: string;
  description: string;
  /** Below the instance's address. */
  prefixes: readonly string[];
}

/** An OpenAPI 3.1 document, generated from contracts and the event catalog: never edited by hand. */
export function toOpenApi(
  { title, description, prefixes }: DocumentTitle,
  operations: readonly Operation[],
  webhooks: readonly WebhookDescription[] = [],
): Json {
  const schemas: Json = {};
  const paths: Record<string, Json> = {};
  for (const { method, path, contract } of operations) {
    paths[path] = { ...paths[path], [method.toLowerCase()]: toOperation(method, path, contract, schemas) };
  }
  const document = {
    openapi: "3.1.0",
    info: { title, version: "3", description },
    servers: prefixes.map((prefix) => ({ url: `http://localhost:3000${prefix}` })),
    security: [{ token: [] }],
    paths,
    ...(webhooks.length === 0 ? {} : { webhooks: toWebhooks(webhooks, schemas) }),
  };
  return settleNames(document, schemas);
}

function toOperation(method: string, path: string, contract: Contract, schemas: Json): Json {
  const parameters = [
    ...toParameters("path", contract.params, schemas),
    ...toParameters("query", contract.query, schemas),
    ...toParameters("header", contract.headers, schemas),
  ];
  return {
    operationId: operationId(method, path),
    summary: contract.summary,
    tags: [contract.tag],
    ...(contract.extension === true ? { "x-trunkline-extension": true } : {}),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(contract.body === undefined ? {} : { requestBody: toRequestBody(contract.body, contract, schemas) }),
    responses: { [contract.status]: toSuccess(contract, schemas), ...toErrors(contract) },
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
  return Object.entries((properties ?? {}) as Json).map(([name, property]) => ({
    name,
    in: place,
    required: place === "path" || names.includes(name),
    schema: property,
  }));
}

function toRequestBody(body: z.ZodType, contract: Contract, schemas: Json): Json {
  return {
    required: contract.bodyOptional !== true,
    content: { "application/json": { schema: toSchema(body, "input", schemas) } },
  };
}

function toSuccess(contract: Contract, schemas: Json): Json {
  const headers = { "X-Trace-ID": { schema: { type: "string", pattern: "^[0-9a-f]{32}$" } } };
  const { returns, streams, summary } = contract;
  const answer = returns ?? streams;
  if (answer === undefined) return { description: "Done", headers };
  const mediaType = returns === undefined ? "text/event-stream" : "application/json";
  return {
    description: summary,
    headers,
    content: { [mediaType]: { schema: toSchema(answer, "output", schemas) } },
  };
}

function toErrors(contract: Contract): Json {
  const byStatus = new Map<number, string[]>();
  for (const name of new Set([...contract.errors, ...ON_EVERY_OPERATION])) {
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
  const { type, group, summary, neverSent, payload, example } = webhook;
  const content = { "application/json": { schema: toSchema(payload, "output", schemas), example } };
  return {
    post: {
      operationId: `webhook.${type}`,
      summary,
      tags: [group],
      ...(neverSent ? { "x-trunkline-never-sent": true } : {}),
      requestBody: { required: true, content },
      responses: { "2XX": { description: "Received. Answer within 10 seconds." } },
    },
  };
}

/**
 * A zod schema as JSON Schema; what has an id goes to `components.schemas` under `<id>:<io>`, until `settleNames`
 * knows whether its input and its output are the same.
 */
function toSchema(schema: z.ZodType, io: Io, schemas: Json): Json {
  const json = z.toJSONSchema(schema, {
    io,
    unrepresentable: "any",
    override: ({ jsonSchema }) => trim(jsonSchema, io),
  });
  const { $schema: _, $defs, ...rest } = json as Json;
  for (const [id, definition] of Object.entries(($defs ?? {}) as Json)) {
    schemas[`${id}:${io}`] = relink(withoutId(definition), io);
  }
  return relink(withoutId(rest), io) as Json;
}

// Answers may gain fields at any time, so they are not closed; formats say more than their long patterns.
function trim(schema: Json, io: Io): void {
  if (io === "output" && schema.additionalProperties === false) delete schema.additionalProperties;
  if (schema.format === "uuid" || schema.format === "date-time") delete schema.pattern;
}

function relink(value: unknown, io: Io): unknown {
  return mapRefs(value, (ref) => `${ref.replace("#/$defs/", SCHEMAS)}:${io}`);
}

/** Gives each schema its final name: one where input and output agree, `<id>Input` beside `<id>` where they differ. */
function settleNames(document: Json, schemas: Json): Json {
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
    status: z.int(),
    code: z.int(),
    message: z.string(),
    doc_url: z.url(),
    retry_after: z.int().optional(),
  });
  const { $schema: _, ...schema } = z.toJSONSchema(
    z.object({ success: z.literal(false), error, trace_id: z.string() }),
  ) as Json;
  return schema;
}
