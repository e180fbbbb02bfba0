import Ajv, { type AnySchema } from "ajv/dist/2020";
import { expect, test } from "vitest";
import {
  isExtension,
  operationsOf,
  readApiDocument,
  resolve,
  type Schema,
} from "@/scripts/cli/conform/api-document";
import { PROMISED_SHAPES, promisedFieldsOf } from "@/scripts/cli/conform/promised-fields";
import { validate } from "@/scripts/cli/conform/validate-schema";

const own = readApiDocument();
/** Required is what the document requires, as for a document of another implementation. */
const document = { ...own, isPackaged: false };
const ajv = new Ajv({ strict: false, validateFormats: false });
ajv.addSchema({ $id: "api", components: forAjv(document.components) });

/** Each documented example of a success with its schema. */
const examples = operationsOf(document).flatMap(({ method, path, name, success }) => {
  const content = document.paths[path]?.[method.toLowerCase()]?.responses?.[success]?.content;
  const { schema, example } = (content?.["application/json"] ?? {}) as { schema?: Schema; example?: unknown };
  return schema === undefined || example === undefined ? [] : [{ name, schema, example }];
});

/** The value with one change at each of its places: removed, null, a number, a text, a list. */
function* mutations(value: unknown): Generator<unknown> {
  if (typeof value !== "object" || value === null) return;
  for (const [name, one] of Object.entries(value)) {
    const put = (other: unknown) => {
      const copy: Record<string, unknown> & unknown[] = structuredClone(value) as never;
      if (other === undefined) delete copy[name as never];
      else copy[name as never] = other as never;
      return copy;
    };
    for (const other of [undefined, null, 7.5, "other"]) {
      if (other !== undefined || !Array.isArray(value)) yield put(other);
    }
    for (const changed of mutations(one)) yield put(changed);
  }
}

test("it finds what Ajv finds, in every documented example and in each change of one", () => {
  let count = 0;
  for (const { name, schema, example } of examples) {
    const isValid = ajv.compile(forAjv(schema));
    for (const value of [example, ...mutations(example)]) {
      const { problems } = validate(document, schema, value);
      // Formats are tested below.
      const ours = problems.filter((one) => !one.includes("which is no "));
      const theirs = isValid(value) ? [] : isValid.errors;
      if (ours.length > 0 !== (theirs ?? []).length > 0 && !isLoose(isValid.errors)) {
        expect({ name, value, ours }).toEqual({ name, value, ours: theirs });
      }
      count++;
    }
  }
  expect(count).toBeGreaterThan(4000);
});

/** Fields that the document forbids are only notes. */
function isLoose(errors: typeof ajv.errors): boolean {
  return (errors ?? []).some(({ keyword }) => keyword === "additionalProperties");
}

/** A schema with absolute references, in which the fields of extensions are optional. */
function forAjv(schema: object): AnySchema {
  const text = JSON.stringify(schema, (_, value) => {
    if (!Array.isArray(value?.required) || typeof value.properties !== "object") return value;
    const required = value.required.filter(
      (one: string) => !value.properties[one]?.description?.includes("Trunkline extension"),
    );
    return { ...value, required };
  });
  return JSON.parse(text.replaceAll('"#/components/', '"api#/components/'));
}

test.each([
  [
    "a time without a zone",
    { type: "string", format: "date-time" },
    "2026-03-01T12:00:00",
    "which is no date-time",
  ],
  ["a time in seconds", { type: "string", format: "date-time" }, "1772366400", "which is no date-time"],
  ["a short ID", { type: "string", format: "uuid" }, "42", "which is no uuid"],
  ["a relative URL", { type: "string", format: "uri" }, "/a", "which is no uri"],
])("%s is a difference", (_, schema, value, problem) => {
  expect(validate(document, schema, value).problems.join()).toContain(problem);
});

test("a further field and a missing extension are notes", () => {
  const schema = {
    type: "object",
    properties: { extra: { type: "string", description: "A Trunkline extension." } },
    required: ["extra"],
  };
  expect(validate(document, schema, { more: 1 })).toEqual({
    problems: [],
    notes: ["extra: extension, not offered", "more: is not described"],
  });
});

test("a document that refers to itself ends", () => {
  const looping = {
    paths: {},
    components: { schemas: { A: { allOf: [{ $ref: "#/components/schemas/A" }] } } },
  };
  expect(validate(looping, { $ref: "#/components/schemas/A" }, {}).problems).toEqual([]);
});

/** The fields that the document requires, by the names that the validator gives to their schemas. */
function requiredFields(): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  const visit = (written: Schema, shape: string, depth = 0): void => {
    const name = written.$ref?.split("/").at(-1) ?? shape;
    if (depth > 30 || (written.$ref !== undefined && found.has(name))) return;
    const schema = resolve(own, written);
    const {
      anyOf = [],
      oneOf = [],
      allOf = [],
      items,
      additionalProperties,
      properties,
      required = [],
    } = schema;
    for (const one of [...anyOf, ...oneOf, ...allOf]) visit(one, name, depth + 1);
    if (typeof items === "object") visit(items, `${name}[]`, depth + 1);
    if (typeof additionalProperties === "object") visit(additionalProperties, `${name}.*`, depth + 1);
    if (properties === undefined) return;
    const known = found.get(name) ?? new Set();
    for (const one of required.filter((field) => !isExtension(properties[field]))) known.add(one);
    found.set(name, known);
    for (const [field, one] of Object.entries(properties)) {
      if (!isExtension(one)) visit(one, `${name}.${field}`, depth + 1);
    }
  };
  for (const { name, isExtension: isAdded, responses } of operationsOf(own)) {
    const shown = [...responses].filter(([status]) => status < 300 && name.includes("/v3/"));
    if (!isAdded) for (const [, { schema }] of shown) if (schema !== null) visit(schema, name);
  }
  visit({ $ref: "#/components/schemas/ErrorEnvelope" }, "");
  for (const [type, { post }] of Object.entries(own.webhooks ?? {})) {
    const schema = post?.requestBody?.content?.["application/json"]?.schema;
    if (schema !== undefined && !ADDED_EVENTS.test(type)) visit(schema, "event");
  }
  return found;
}

/** Events of Trunkline, of which the specification promises nothing. */
const ADDED_EVENTS = /^(message\.(unsent|opt_in|opt_out)|chat\.(turn|loop_detected|resumed))$/;

test("the table of promised fields names each response and event, and only fields that Trunkline always sends", () => {
  const fields = requiredFields();
  const unknown = PROMISED_SHAPES.flatMap((shape) => {
    const required = [...fields].filter(([name]) => promisedFieldsOf(name) === promisedFieldsOf(shape));
    const all = new Set(required.flatMap(([, names]) => [...names]));
    return required.length === 0
      ? [shape]
      : [...(promisedFieldsOf(shape) ?? [])]
          .filter((name) => !all.has(name))
          .map((name) => `${shape}.${name}`);
  });
  expect(unknown).toEqual([]);
  const unlisted = [...fields].filter(([shape, { size }]) => size > 0 && promisedFieldsOf(shape) === null);
  expect(unlisted.map(([shape]) => shape)).toEqual([]);
});

test("a field that only Trunkline always sends is a note when it is missing, and a promised one a difference", () => {
  const chat = { $ref: "#/components/schemas/Chat" };
  const example = examples.find(({ name }) => name === "GET /v3/chats/{chatId}")?.example as object;
  const { problems, notes } = validate(own, chat, { ...example, handles: [{ id: "a" }] });
  expect(problems).toContain("handles[0].handle: is missing");
  expect(notes).toContain("handles[0].is_me: is missing, which is allowed");
  expect(problems.join()).not.toContain("is_me");
});

test("many notes do not hide a difference after them", () => {
  const schema = { type: "array", items: { type: "object", properties: { id: { type: "string" } } } };
  const values = [...Array.from({ length: 300 }, () => ({ id: "a", more: 1 })), { id: 7 }];
  const { problems, notes } = validate(own, schema, values);
  expect([problems, notes.length]).toEqual([["[300].id: is number in place of string"], 100]);
});
