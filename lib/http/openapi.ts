import "server-only";
import { z } from "zod";
import { errorDocUrl } from "@/lib/http/error-response";
import type { Contract } from "@/lib/platform/contract";
import { ERRORS, type ErrorName } from "@/lib/platform/errors";

type Json = Record<string, unknown>;

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
  summary: string;
  payload: z.ZodType;
  example: unknown;
}

const ON_EVERY_OPERATION: readonly ErrorName[] = ["unauthorized", "rate_limited", "internal"];

/** The OpenAPI 3.1 document of the API, generated from the contracts and the event catalog: never edited by hand. */
export function toOpenApi(operations: readonly Operation[], webhooks: readonly WebhookDescription[]): Json {
  const schemas: Json = {};
  const paths: Record<string, Json> = {};
  for (const { method, path, contract } of operations) {
    paths[path] = { ...paths[path], [method.toLowerCase()]: toOperation(method, path, contract, schemas) };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Trunkline",
      version: "3",
      description:
        "Partner messaging and payments. Every answer carries X-Trace-ID; failures share one envelope.",
    },
    servers: [{ url: "http://localhost:3000" }, { url: "http://localhost:3000/api/partner" }],
    security: [{ token: [] }],
    paths,
    webhooks: Object.fromEntries(webhooks.map((webhook) => [webhook.type, toWebhook(webhook, schemas)])),
    components: {
      securitySchemes: { token: { type: "http", scheme: "bearer" } },
      schemas: { ...sorted(schemas), ErrorEnvelope: errorEnvelope() },
    },
  };
}

function toOperation(method: string, path: string, contract: Contract, schemas: Json): Json {
  const parameters = [
    ...toParameters("path", contract.params, schemas),
    ...toParameters("query", contract.query, schemas),
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

function toParameters(place: "path" | "query", schema: z.ZodType | undefined, schemas: Json): Json[] {
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
  if (contract.returns === undefined) return { description: "Done", headers };
  const schema = toSchema(contract.returns, "output", schemas);
  return { description: contract.summary, headers, content: { "application/json": { schema } } };
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
        content: { "application/json": { schema: { $ref: "#/components/schemas/ErrorEnvelope" } } },
      },
    ]),
  );
}

function toWebhook({ type, summary, payload, example }: WebhookDescription, schemas: Json): Json {
  const content = { "application/json": { schema: toSchema(payload, "output", schemas), example } };
  return {
    post: {
      operationId: `webhook.${type}`,
      summary,
      requestBody: { required: true, content },
      responses: { "2XX": { description: "Received. Answer within 10 seconds." } },
    },
  };
}

/** A zod schema as JSON Schema; what has an id goes to `components.schemas` once. */
function toSchema(schema: z.ZodType, io: "input" | "output", schemas: Json): Json {
  const json = z.toJSONSchema(schema, { io, unrepresentable: "any", target: "draft-2020-12" }) as Json;
  const { $schema: _, $defs, ...rest } = json;
  const names = new Map<string, string>();
  const definitions = Object.entries(($defs ?? {}) as Record<string, Json>);
  for (const [id, definition] of definitions) names.set(id, nameFor(id, definition, io, schemas));
  for (const [id, definition] of definitions)
    schemas[names.get(id) ?? id] = withoutId(relink(definition, names));
  return relink(withoutId(rest), names) as Json;
}

// The same id may differ as input and output (defaults): then the input's gets a name of its own.
function nameFor(id: string, definition: Json, io: "input" | "output", schemas: Json): string {
  const existing = schemas[id];
  if (existing === undefined) return id;
  const same = JSON.stringify(existing) === JSON.stringify(withoutId(relink(definition, new Map())));
  return same || io === "output" ? id : `${id}Input`;
}

function relink(value: unknown, names: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(value)) return value.map((item) => relink(item, names));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      if (key !== "$ref" || typeof item !== "string") return [key, relink(item, names)];
      const id = item.replace("#/$defs/", "");
      return [key, `#/components/schemas/${names.get(id) ?? id}`];
    }),
  );
}

function withoutId(value: unknown): unknown {
  if (typeof value !== "object" || value === null || !("id" in value) || typeof value.id !== "string")
    return value;
  const { id: _, ...rest } = value;
  return rest;
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
