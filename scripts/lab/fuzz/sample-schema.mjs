const MAX_DEPTH = 8;

/**
 * Returns a random value that matches a JSON schema of openapi.json. Only simple formats and patterns are supported.
 */
export function sampleSchema(schema, { components, random, known }, depth = 0) {
  const inner = (next) => sampleSchema(next, { components, random, known }, depth + 1);
  if (schema === undefined || depth > MAX_DEPTH) return null;
  if (schema.$ref !== undefined) return inner(components.schemas[schema.$ref.split("/").at(-1)]);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return inner(random.pick(choices));
  if (schema.allOf !== undefined) return Object.assign({}, ...schema.allOf.map(inner));
  if (schema.enum !== undefined) return random.pick(schema.enum);
  if (schema.const !== undefined) return schema.const;
  if (schema.examples !== undefined && random.chance(0.7)) return random.pick(schema.examples);
  const type = Array.isArray(schema.type) ? random.pick(schema.type) : schema.type;
  switch (type) {
    case "object":
      return Object.fromEntries(
        Object.entries(schema.properties ?? {})
          .filter(([name]) => schema.required?.includes(name) || random.chance(0.3))
          .map(([name, property]) => [name, inner(property)]),
      );
    case "array":
      if (schema.prefixItems !== undefined) return schema.prefixItems.map(inner);
      return Array.from({ length: 1 + random.below(2) }, () => inner(schema.items ?? {}));
    case "integer":
    case "number":
      return schema.minimum ?? random.below(100);
    case "boolean":
      return random.chance(0.5);
    case "null":
      return null;
    default:
      if (schema.format === "uuid") return random.pick(known);
      if (schema.format === "uri") return "https://example.test/x";
      if (schema.pattern?.includes("\\+")) return random.pick(known);
      return random.pick(["x", "hello", ...known]);
  }
}

/** Returns a copy of the value with `by` at one random place. */
export function replaceAtRandom(value, by, random) {
  if (typeof value !== "object" || value === null || random.chance(0.3)) return by;
  const keys = Object.keys(value);
  if (keys.length === 0) return by;
  const key = random.pick(keys);
  const copy = Array.isArray(value) ? [...value] : { ...value };
  copy[key] = replaceAtRandom(value[key], by, random);
  return copy;
}
