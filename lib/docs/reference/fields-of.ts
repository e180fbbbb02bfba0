import "server-only";

type Json = Record<string, unknown>;
type Schemas = Readonly<Record<string, Json>>;

const DEEPEST = 4;
const VALUES_SHOWN = 12;
/** Formats that readers know. Others are names of the validator and are not shown. */
const FORMATS = new Set(["uri", "email", "uuid", "date", "date-time", "binary", "byte", "ipv4", "ipv6"]);

/** A field of a body or query, as the documentation lists it. */
export interface DocumentedField {
  /** The full path, such as `message.parts[].type`. */
  name: string;
  type: string;
  isRequired: boolean;
  description: string;
  /** The alternative that has the field, such as `message.parts[].type` is `"text"`. Absent = every alternative. */
  condition?: string;
}

/**
 * The fields that a JSON Schema describes, with nested objects up to four levels deep. Alternatives that one field
 * tells apart are listed one after the other, each field with its condition; of other alternatives, fields of the same
 * name become one field with the types of all.
 */
export function fieldsOf(schema: unknown, schemas: Schemas): DocumentedField[] {
  return collect(schema as Json, { schemas, prefix: "", depth: 1 });
}

interface Place {
  schemas: Schemas;
  prefix: string;
  depth: number;
}

function collect(schema: Json, place: Place): DocumentedField[] {
  const target = resolve(schema, place.schemas);
  if (target.type === "array") return collect(itemOf(target), { ...place, prefix: `${place.prefix}[]` });
  const parts = ((target.allOf ?? []) as Json[]).flatMap((each) => collect(each, place));
  const alternatives = alternativesOf(target).map((each) => resolve(each, place.schemas));
  return [...ownFields(target, place), ...parts, ...alternativeFields(alternatives, place)];
}

function ownFields(target: Json, place: Place): DocumentedField[] {
  const required = new Set((target.required ?? []) as string[]);
  return Object.entries(propertiesOf(target)).flatMap(([key, property]) => {
    const name = nameIn(place, key);
    const field = {
      name,
      type: typeOf(property, place.schemas),
      isRequired: required.has(key),
      description: String(property.description ?? resolve(property, place.schemas).description ?? ""),
    };
    const below = { ...place, prefix: name, depth: place.depth + 1 };
    return place.depth >= DEEPEST ? [field] : [field, ...collect(property, below)];
  });
}

function alternativeFields(alternatives: readonly Json[], place: Place): DocumentedField[] {
  const lists = alternatives.map((each) => collect(each, place));
  const key = discriminatorOf(alternatives);
  if (key === null) return mergeByName(lists);
  const name = nameIn(place, key);
  const tags = lists.flatMap((list) => list.filter((field) => field.name === name));
  const inAll = sharedFields(lists).filter((field) => field.name !== name);
  const shared = new Set(inAll.map(({ name }) => name));
  return [
    { ...mergeFields(tags, lists.length), description: describeTags(tags) },
    ...inAll,
    ...lists.flatMap((list) => {
      const tag = list.find((field) => field.name === name);
      const condition = `\`${name}\` is \`${tag?.type}\``;
      return list
        .filter((field) => field.name !== name && !shared.has(field.name))
        .map((field) => ({
          ...field,
          condition: [condition, field.condition].filter(Boolean).join(" and "),
        }));
    }),
  ];
}

/** The property whose constant tells the alternatives apart. null = there is none. */
function discriminatorOf(alternatives: readonly Json[]): string | null {
  const [first] = alternatives;
  if (first === undefined || alternatives.length < 2) return null;
  const isTag = (key: string) => {
    const values = alternatives.map((each) => propertiesOf(each)[key]?.const);
    return !values.includes(undefined) && new Set(values).size === values.length;
  };
  return Object.keys(propertiesOf(first)).find(isTag) ?? null;
}

/** The fields that are the same in every list. */
function sharedFields(lists: readonly DocumentedField[][]): DocumentedField[] {
  const [first = [], ...others] = lists;
  const isSame = (one: DocumentedField, two: DocumentedField) => JSON.stringify(one) === JSON.stringify(two);
  return first.filter((field) => others.every((list) => list.some((other) => isSame(field, other))));
}

function mergeByName(lists: readonly DocumentedField[][]): DocumentedField[] {
  const byName = Map.groupBy(lists.flat(), ({ name, condition = "" }) => `${name} ${condition}`);
  return [...byName.values()].map((fields) => mergeFields(fields, lists.length));
}

function mergeFields(fields: readonly DocumentedField[], alternatives: number): DocumentedField {
  const [first] = fields as [DocumentedField];
  return {
    ...first,
    type: joinTypes(fields.map(({ type }) => type)),
    isRequired: fields.length === alternatives && fields.every((field) => field.isRequired),
    description: [...new Set(fields.map((field) => field.description))].join(" "),
  };
}

function describeTags(tags: readonly DocumentedField[]): string {
  const descriptions = new Set(tags.map(({ description }) => description));
  if (descriptions.size === 1) return tags[0]?.description ?? "";
  return tags.map(({ type, description }) => `\`${type}\`: ${description}`).join(" ");
}

/** The alternatives of a schema except null. */
function alternativesOf({ oneOf, anyOf }: Json): Json[] {
  return [oneOf, anyOf].flatMap((each) => (each ?? []) as Json[]).filter(({ type }) => type !== "null");
}

function propertiesOf({ properties }: Json): Record<string, Json> {
  return (properties ?? {}) as Record<string, Json>;
}

function nameIn({ prefix }: Place, key: string): string {
  return prefix === "" ? key : `${prefix}.${key}`;
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
  if (alternatives.length > 0) return joinTypes(alternatives.map((each) => typeOf(each, schemas)));
  if (target.type === "array") return `array of ${typeOf(itemOf(target), schemas)}`;
  const types = Array.isArray(target.type) ? target.type.join(" | ") : String(target.type ?? "any");
  return FORMATS.has(String(target.format)) ? `${types} (${String(target.format)})` : types;
}

/** Each type once. A plain string includes all other strings. */
function joinTypes(types: readonly string[]): string {
  const all = [...new Set(types.flatMap((type) => type.split(" | ")))];
  const isText = (type: string) => type.startsWith('"') || type.startsWith("string (");
  return all.filter((type) => !(all.includes("string") && isText(type))).join(" | ");
}
