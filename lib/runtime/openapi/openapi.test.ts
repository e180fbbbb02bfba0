import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020";
import { describe, expect, test } from "vitest";
import { routes } from "@/.generated/route-table";
import { inputErrorsOf } from "@/lib/runtime/openapi/input-errors";
import { operationsOf } from "@/lib/runtime/openapi/operations";

type Json = Record<string, unknown>;
interface Body {
  schema: Json;
  example?: unknown;
}
interface Response {
  description?: string;
  content?: Record<string, Body>;
}
interface Documented {
  summary?: string;
  description?: string;
  parameters?: { name: string; description?: string; schema: Json }[];
  requestBody?: { content: Record<string, Body> };
  responses: Record<string, Response>;
}
interface Document {
  tags: { name: string; description?: string }[];
  paths: Record<string, Record<string, Documented>>;
  webhooks?: Record<string, { post: Documented }>;
  components: { schemas: Record<string, Json> };
}

describe.each(["openapi.json", "openapi-simulator.json"])("%s is documentation", (file) => {
  const document = JSON.parse(readFileSync(file, "utf8")) as Document;
  const operations = operationsIn(document);

  test("every tag, operation, event and parameter says what it is", () => {
    const silent = [
      ...document.tags.filter((tag) => !tag.description).map(({ name }) => `tag ${name}`),
      ...operations.filter(({ summary }) => !summary).map(({ name }) => `summary of ${name}`),
      ...operations.filter(({ description }) => !description).map(({ name }) => `description of ${name}`),
      ...operations.flatMap(({ name, parameters = [] }) =>
        parameters.filter((each) => !each.description).map((each) => `${name} parameter ${each.name}`),
      ),
    ];
    expect(silent).toEqual([]);
  });

  test("every property says what it is, or is of a schema that does", () => {
    const { schemas } = document.components;
    const silent = [
      ...Object.entries(schemas).flatMap(([name, schema]) => undescribedPaths(schema, name, schemas)),
      ...operations.flatMap((operation) =>
        bodiesOf(operation).flatMap(({ name, schema }) => undescribedPaths(schema, name, schemas)),
      ),
    ];
    expect(silent).toEqual([]);
  });

  test("every body that an operation or an event has comes with an example that fits its schema, and no other", () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
    ajv.addSchema({ $id: "document", components: closedComponents(document) });
    const wrong = operations.flatMap((operation) =>
      bodiesOf(operation).flatMap(({ name, schema, example }) => {
        if (example === undefined) return [`${name} has no example`];
        const validate = ajv.compile(absolute(closed(schema)) as Json);
        return validate(example) ? [] : [`${name}: ${ajv.errorsText(validate.errors)}`];
      }),
    );
    expect(wrong).toEqual([]);
  });
});

test("an operation takes the example of its body", () => {
  const documents = ["openapi.json", "openapi-simulator.json"].map(
    (file) => JSON.parse(readFileSync(file, "utf8")) as Document,
  );
  const refused = operationsOf(routes).flatMap(({ method, path, contract }) => {
    if (contract.body === undefined) return [];
    const [operation] = documents.flatMap(({ paths }) => paths[path]?.[method.toLowerCase()] ?? []);
    const example = operation?.requestBody?.content["application/json"]?.example;
    const { error } = contract.body.safeParse(example);
    return error === undefined ? [] : [`${method} ${path}: ${error.message}`];
  });
  expect(refused).toEqual([]);
});

test("an operation names the codes of each input that can be invalid", () => {
  const { paths, components } = JSON.parse(readFileSync("openapi.json", "utf8")) as Document;
  const needsField = (schema: Json): boolean => {
    const { required, oneOf } = components.schemas[String(schema.$ref).split("/").at(-1) ?? ""] ?? schema;
    return required !== undefined || (Array.isArray(oneOf) && oneOf.every(needsField));
  };
  const silent = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { parameters = [], requestBody, responses }]) => {
      const codes = (status: number) => responses[status]?.description ?? "";
      const isId = parameters.some(({ schema }) => schema.format === "uuid");
      const isPaged = parameters.some(({ name }) => name === "limit" || name === "cursor");
      const body = requestBody?.content["application/json"]?.schema;
      const hasBody = body !== undefined;
      const isNamed = [
        !(isId || isPaged) || codes(400).includes("`1005`"),
        !hasBody || (codes(400).includes("`1003`") && codes(415).includes("`1003`")),
        // A request of MCP is one object or a list of them.
        !hasBody || path === "/mcp" || !needsField(body) || codes(400).includes("`1001`"),
      ];
      return isNamed.includes(false) ? [`${method} ${path}`] : [];
    }),
  );
  expect(silent).toEqual([]);
  expect(paths["/v3/experiences"]?.get?.responses[400]).toBeUndefined();
});

test("a body needs a field that its reference, each part or every branch of it needs", () => {
  const needing = { $ref: "Needing" };
  const resolve = (schema: Json) => (schema === needing ? { required: ["a"] } : schema);
  const isNamed = (body: Json) => inputErrorsOf({ parameters: [], body }, resolve).includes("field_missing");
  expect([needing, { allOf: [{}, needing] }, { oneOf: [needing, needing] }].map(isNamed)).toEqual([
    true,
    true,
    true,
  ]);
  expect([{}, { oneOf: [needing, {}] }, { anyOf: [{}, needing] }].map(isNamed)).toEqual([
    false,
    false,
    false,
  ]);
});

function operationsIn({ paths, webhooks = {} }: Document) {
  return [
    ...Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ ...operation, name: `${method} ${path}` })),
    ),
    ...Object.entries(webhooks).map(([type, { post }]) => ({ ...post, name: `event ${type}` })),
  ];
}

/** The request and success bodies of an operation. */
function bodiesOf({ name, requestBody, responses }: Documented & { name: string }) {
  const answers = Object.entries(responses).filter(([status]) => status.startsWith("2"));
  return [
    ...Object.values(requestBody?.content ?? {}).map((body) => ({ ...body, name: `${name} request` })),
    ...answers.flatMap(([status, { content = {} }]) =>
      Object.values(content).map((body) => ({ ...body, name: `${name} ${status}` })),
    ),
  ];
}

/** The paths of properties in a schema that have no description, neither directly nor from a referenced schema. */
function undescribedPaths(schema: unknown, at: string, schemas: Record<string, Json>): string[] {
  if (typeof schema !== "object" || schema === null) return [];
  if (Array.isArray(schema))
    return schema.flatMap((item, index) => undescribedPaths(item, `${at}[${index}]`, schemas));
  return Object.entries(schema).flatMap(([key, value]) => {
    if (key === "examples" || key === "example") return [];
    if (key !== "properties") return undescribedPaths(value, at, schemas);
    return Object.entries(value as Record<string, Json>).flatMap(([name, property]) => {
      const named = schemas[String(property.$ref).split("/").at(-1) ?? ""];
      const silent = (property.description ?? named?.description) === undefined;
      return [...(silent ? [`${at}.${name}`] : []), ...undescribedPaths(property, `${at}.${name}`, schemas)];
    });
  });
}

/** Closes every object of a schema, so that a misspelled property in an example fails validation. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== "object" || value === null) return value;
  // Each part of an intersection knows only its own properties, so the intersection is closed as a whole.
  if ("allOf" in value) return { ...value, unevaluatedProperties: false };
  const copy = Object.fromEntries(Object.entries(value).map(([key, item]) => [key, closed(item)])) as Json;
  return "properties" in copy && copy.additionalProperties === undefined
    ? { ...copy, additionalProperties: false }
    : copy;
}

/** The components with every object closed, except objects that an intersection references. */
function closedComponents({ components, webhooks }: Document): Json {
  const open = [
    ...JSON.stringify(webhooks ?? {}).matchAll(/"allOf":\[\{"\$ref":"#\/components\/schemas\/(\w+)"/g),
  ];
  const schemas = closed(components.schemas) as Json;
  for (const [, name = ""] of open) schemas[name] = components.schemas[name];
  return { schemas };
}

function absolute(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value).replaceAll('"$ref":"#/', '"$ref":"document#/'));
}
