import fc, { type Arbitrary } from "fast-check";
import { z } from "zod";

type JsonSchema = z.core.JSONSchema._JSONSchema;
type Definitions = Record<string, JsonSchema>;

/**
 * Generates values that match a schema, from its JSON Schema. The caller must filter out values that refinements
 * reject.
 */
export function arbitraryOf(schema: z.ZodType): Arbitrary<unknown> {
  const json = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  return from(json, json.$defs ?? {}, "");
}

function from(schema: JsonSchema, definitions: Definitions, key: string): Arbitrary<unknown> {
  if (typeof schema === "boolean") return fc.jsonValue();
  if (schema.$ref !== undefined) {
    return from(definitions[schema.$ref.replace("#/$defs/", "")] ?? {}, definitions, key);
  }
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return fc.oneof(...choices.map((choice) => from(choice, definitions, key)));
  if (schema.allOf !== undefined) {
    const sides = schema.allOf.map((side) => from(side, definitions, key));
    return fc.tuple(...sides).map((values) => Object.assign({}, ...values));
  }
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  if ("const" in schema) return fc.constant(schema.const);
  if (Array.isArray(schema.type)) {
    return fc.oneof(...schema.type.map((type) => from({ ...schema, type }, definitions, key)));
  }
  if (schema.type === undefined) return fc.jsonValue();
  return ofType(schema, definitions, key);
}

function ofType(
  schema: z.core.JSONSchema.BaseSchema,
  definitions: Definitions,
  key: string,
): Arbitrary<unknown> {
  switch (schema.type) {
    case "string":
      return text(schema, key);
    case "integer":
      return fc.integer({ min: schema.minimum ?? -1000, max: Math.min(schema.maximum ?? 1000, 1_000_000) });
    case "number":
      return fc.double({
        min: schema.minimum ?? -1000,
        max: schema.maximum ?? 1000,
        noNaN: true,
        noDefaultInfinity: true,
      });
    case "boolean":
      return fc.boolean();
    case "null":
      return fc.constant(null);
    case "array":
      return array(schema, definitions, key);
    case "object":
      return object(schema, definitions);
    default:
      throw new Error(`no values are known for ${JSON.stringify(schema)}`);
  }
}

function text({ format, pattern, minLength }: z.core.JSONSchema.BaseSchema, key: string): Arbitrary<string> {
  if (format === "uuid") return fc.uuid();
  if (format === "uri") return fc.webUrl();
  // Message event data stores times as plain text.
  if (format === "date-time" || key.endsWith("_at")) return time(pattern);
  return pattern === undefined
    ? fc.string({ unit: "grapheme", minLength: minLength ?? 0, maxLength: 20 })
    : fc.stringMatching(new RegExp(pattern));
}

const ZONES = ["Z", "+00:00", "+02:00", "-05:30"] as const;

/** A time as JavaScript writes it or, if the schema accepts it, as PostgreSQL does. */
function time(pattern = ""): Arbitrary<string> {
  const zones = ZONES.filter((zone) => new RegExp(pattern).test(`2026-03-01T12:00:00.000${zone}`));
  const date = fc.date({ min: new Date("2020-01-01"), max: new Date("2099-01-01"), noInvalidDate: true });
  const zone = fc.constantFrom(...zones);
  return fc.tuple(date, zone).map(([at, offset]) => at.toISOString().replace("Z", offset));
}

function array(
  { prefixItems, items }: z.core.JSONSchema.BaseSchema,
  definitions: Definitions,
  key: string,
): Arbitrary<unknown> {
  if (prefixItems !== undefined) return fc.tuple(...prefixItems.map((item) => from(item, definitions, key)));
  if (items === undefined || Array.isArray(items)) throw new Error(`${key} has no kind of item`);
  return fc.array(from(items, definitions, key), { maxLength: 3 });
}

function object(schema: z.core.JSONSchema.BaseSchema, definitions: Definitions): Arbitrary<unknown> {
  const { properties, additionalProperties } = schema;
  if (properties === undefined && typeof additionalProperties === "object") {
    return fc.dictionary(
      fc.string({ minLength: 1, maxLength: 8 }),
      from(additionalProperties, definitions, ""),
    );
  }
  const required = new Set(schema.required);
  const fields = Object.entries(properties ?? {}).map(([name, field]) => {
    const value = from(field, definitions, name);
    return [name, required.has(name) ? value : fc.option(value, { nil: undefined })] as const;
  });
  return fc.record(Object.fromEntries(fields)).map(withoutAbsent);
}

function withoutAbsent(value: Record<string, unknown>): unknown {
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined));
}
