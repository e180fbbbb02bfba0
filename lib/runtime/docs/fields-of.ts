import "server-only";

type Json = Record<string, unknown>;
type Schemas = Readonly<Record<string, Json>>;

const DEEPEST = 3;
const VALUES_SHOWN = 12;

/** A field of a body or query, as the documentation lists it. */
export interface DocumentedField {
  /** The full path, such as `message.parts[].type`. */
  name: string;
  type: string;
  isRequired: boolean;
  description: string;
}

/**
 * The fields that a JSON Schema describes, with nested objects up to three levels deep. Alternatives contribute the
 * fields of each.
 */
export function fieldsOf(schema: unknown, schemas: Schemas): DocumentedField[] {
  const fields = collect(schema as Json, { schemas, prefix: "", depth: 1 });
  return [...new Map(fields.map((field) => [field.name, field])).values()];
}

interface Place {
  schemas: Schemas;
  prefix: string;
  depth: number;
}

function collect(schema: Json, place: Place): DocumentedField[] {
  const target = resolve(schema, place.schemas);
  const alternatives = [target.oneOf, target.anyOf, target.allOf].flatMap((each) => (each ?? []) as Json[]);
  const inner = alternatives.flatMap((each) => collect(each, place));
  if (target.type === "array") return collect(itemOf(target), { ...place, prefix: `${place.prefix}[]` });
  const required = new Set((target.required ?? []) as string[]);
  const own = Object.entries((target.properties ?? {}) as Record<string, Json>).flatMap(([key, property]) => {
    const name = place.prefix === "" ? key : `${place.prefix}.${key}`;
    const field = {
      name,
      type: typeOf(property, place.schemas),
      isRequired: required.has(key),
      description: String(property.description ?? resolve(property, place.schemas).description ?? ""),
    };
    const below = { ...place, prefix: name, depth: place.depth + 1 };
    return place.depth >= DEEPEST ? [field] : [field, ...collect(property, below)];
  });
  return [...own, ...inner];
}

function resolve(schema: Json, schemas: Schemas): Json {
  const name =
    String(schema.$ref ?? "")
      .split("/")
      .at(-1) ?? "";
  return schemas[name] ?? schema;
}

// A tuple is described by its first item; its `items` may be false.
function itemOf({ prefixItems, items }: Json): Json {
  const [first] = (prefixItems ?? []) as Json[];
  return first ?? ((items || {}) as Json);
}

function typeOf(schema: Json, schemas: Schemas): string {
  const target = resolve(schema, schemas);
  if ("const" in target) return JSON.stringify(target.const);
  const values = (target.enum ?? []) as unknown[];
  if (values.length > 0 && values.length <= VALUES_SHOWN)
    return values.map((each) => JSON.stringify(each)).join(" | ");
  const alternatives = [target.oneOf, target.anyOf].flatMap((each) => (each ?? []) as Json[]);
  if (alternatives.length > 0) {
    return [...new Set(alternatives.map((each) => typeOf(each, schemas)))].join(" | ");
  }
  if (target.type === "array") return `array of ${typeOf(itemOf(target), schemas)}`;
  const types = Array.isArray(target.type) ? target.type.join(" | ") : String(target.type ?? "any");
  return target.format === undefined ? types : `${types} (${String(target.format)})`;
}
