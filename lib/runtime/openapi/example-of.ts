import "server-only";

type Json = Record<string, unknown>;

const BY_FORMAT: Readonly<Record<string, unknown>> = {
  "date-time": "2026-03-01T12:00:00.000Z",
  uuid: "019ca9c2-4c03-7d64-bc33-5e9f40718293",
};

/**
 * The schema's own example, or one composed from the examples of its required properties and of the optional properties
 * that define one. `undefined` when a required value has no example.
 */
export function exampleOf(schema: Json, schemas: Readonly<Record<string, Json>>): unknown {
  const [own] = Array.isArray(schema.examples) ? schema.examples : [];
  if (own !== undefined) return own;
  if ("const" in schema) return schema.const;
  if (Array.isArray(schema.enum)) return schema.enum[0];
  if (typeof schema.$ref === "string") {
    const target = schemas[schema.$ref.split("/").at(-1) ?? ""];
    return target === undefined ? undefined : exampleOf(target, schemas);
  }
  const [option] = (schema.oneOf ?? schema.anyOf ?? []) as Json[];
  if (option !== undefined) return exampleOf(option, schemas);
  if (schema.type === "object") return exampleOfObject(schema, schemas);
  if (schema.type === "array") {
    const item = exampleOf((schema.items ?? {}) as Json, schemas);
    return item === undefined ? undefined : [item];
  }
  if (schema.type === "boolean") return true;
  return schema.type === "string" ? BY_FORMAT[String(schema.format)] : undefined;
}

function exampleOfObject(schema: Json, schemas: Readonly<Record<string, Json>>): Json | undefined {
  const required = new Set((schema.required ?? []) as string[]);
  const example: Json = {};
  for (const [name, property] of Object.entries((schema.properties ?? {}) as Record<string, Json>)) {
    if (!required.has(name) && property.examples === undefined) continue;
    const value = exampleOf(property, schemas);
    if (value === undefined) return undefined;
    example[name] = value;
  }
  return example;
}
