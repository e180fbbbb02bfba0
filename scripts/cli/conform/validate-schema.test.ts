import Ajv, { type AnySchema } from "ajv/dist/2020";
import { expect, test } from "vitest";
import { operationsOf, readApiDocument, type Schema } from "@/scripts/cli/conform/api-document";
import { validate } from "@/scripts/cli/conform/validate-schema";

const document = readApiDocument();
const ajv = new Ajv({ strict: false, validateFormats: false });
ajv.addSchema({ $id: "api", components: forAjv(document.components) });

/** Each documented example of a success with its schema. */
const examples = operationsOf(document).flatMap(({ method, path, name, success }) => {
  const content = document.paths[path]?.[method.toLowerCase()]?.responses[success]?.content;
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
      const own = problems.filter((one) => !one.includes("which is no "));
      const theirs = isValid(value) ? [] : isValid.errors;
      if (own.length > 0 !== (theirs ?? []).length > 0 && !isLoose(isValid.errors)) {
        expect({ name, value, own }).toEqual({ name, value, own: theirs });
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
