import { type ApiDocument, isExtension, resolve, type Schema } from "@/scripts/cli/conform/api-document";
import { promisedFieldsOf } from "@/scripts/cli/conform/promised-fields";

/** The result of a validation. */
interface Validation {
  /** Where a value breaks its schema, for example `chats[0].id: is missing`. */
  problems: string[];
  /** Fields that the schema does not name, and missing fields of extensions or beyond the specification. */
  notes: string[];
}

/** Far more than a response needs, so that a document that refers to itself ends. */
const MAX_DEPTH = 40;
/** More problems or notes of one value tell a reader nothing more. A server can send any number of them. */
const MAX_FOUND = 100;
/** A value of the wrong kind weighs more than a wrong value, so that the branch of a union is the one that was meant. */
const WRONG_KIND_WEIGHT = 100;

const FORMATS: Readonly<Record<string, (text: string) => boolean>> = {
  uuid: (text) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text),
  "date-time": (text) =>
    /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d+)?(Z|[+-]00:00)$/i.test(
      text,
    ),
  uri: (text) => URL.canParse(text),
};

/**
 * Compares a value with a schema: required fields and types strictly, further fields as notes. `shape`: the name of a schema that
 * is no component, for the fields that the specification promises.
 */
export function validate(document: ApiDocument, schema: Schema, value: unknown, shape = ""): Validation {
  const found: Validation = { problems: [], notes: [] };
  visit({ document, found, depth: 0, shape }, schema, value, "");
  return found;
}

interface Visit {
  document: ApiDocument;
  found: Validation;
  depth: number;
  /** The name of the last component, and the path inside of it. */
  shape: string;
}

function visit(at: Visit, written: Schema, value: unknown, path: string): void {
  if (at.depth > MAX_DEPTH || at.found.problems.length >= MAX_FOUND) return;
  const deeper = { ...at, depth: at.depth + 1, shape: nameOf(written) ?? at.shape };
  const schema = resolve(at.document, written);
  const report = (problem: string): void => {
    at.found.problems.push(`${path || "the body"}: ${problem}`);
  };
  for (const one of schema.allOf ?? []) visit(deeper, one, value, path);
  const union = schema.anyOf ?? schema.oneOf;
  if (union !== undefined) visitUnion(deeper, union, value, path);
  const problem = kindProblem(schema, value);
  if (problem !== null) return void report(problem);
  if (typeof value === "string") visitText(schema, value, report);
  if (typeof value === "number") visitNumber(schema, value, report);
  if (Array.isArray(value)) visitList(deeper, schema, value, path);
  else if (typeof value === "object" && value !== null) {
    visitObject(deeper, schema, value as Record<string, unknown>, path);
  }
}

/** The name of a component that a schema refers to. */
function nameOf({ $ref }: Schema): string | undefined {
  return $ref?.split("/").at(-1);
}

/** Notes something that is no difference. The values after the last note are examined, too. */
function note({ found }: Visit, text: string): void {
  if (found.notes.length < MAX_FOUND) found.notes.push(text);
}

/** Why a value is not of the schema's type, constant or enumeration; null if it is. */
function kindProblem(schema: Schema, value: unknown): string | null {
  if ("const" in schema && value !== schema.const) {
    return `is ${show(value)} in place of ${show(schema.const)}`;
  }
  if (schema.enum !== undefined && !schema.enum.includes(value)) {
    return `is ${show(value)}, not one of ${schema.enum.slice(0, 12).map(show).join(", ")}`;
  }
  const types = [schema.type ?? []].flat();
  const isOfOne = types.length === 0 || types.some((type) => isOfType(type, value));
  return isOfOne ? null : `is ${kindOf(value)} in place of ${types.join(" or ")}`;
}

/** Reports the problems of the branch that fits best. */
function visitUnion(at: Visit, branches: readonly Schema[], value: unknown, path: string): void {
  const results = branches.map((branch) => {
    const found: Validation = { problems: [], notes: [] };
    visit({ ...at, found }, branch, value, path);
    return found;
  });
  const [best] = results.toSorted((one, other) => weightOf(one) - weightOf(other));
  at.found.problems.push(...(best?.problems ?? []));
  for (const one of best?.notes ?? []) note(at, one);
}

function weightOf({ problems, notes }: Validation): number {
  const kinds = problems.filter((problem) => problem.includes(" in place of "));
  return kinds.length * WRONG_KIND_WEIGHT + problems.length + notes.length / WRONG_KIND_WEIGHT;
}

function visitObject(at: Visit, schema: Schema, value: Record<string, unknown>, path: string): void {
  const { properties = {}, required = [], additionalProperties } = schema;
  const inside = (name: string) => (path === "" ? name : `${path}.${name}`);
  const promised = at.document.isPackaged === true ? promisedFieldsOf(at.shape) : null;
  for (const name of required.filter((one) => !Object.hasOwn(value, one))) {
    if (isExtension(properties[name])) note(at, `${inside(name)}: extension, not offered`);
    else if (promised?.has(name) === false) note(at, `${inside(name)}: is missing, which is allowed`);
    else at.found.problems.push(`${inside(name)}: is missing`);
  }
  const isKnown = schema.properties !== undefined;
  for (const [name, one] of Object.entries(value)) {
    const known = properties[name];
    const part = { ...at, shape: `${at.shape}.${known === undefined ? "*" : name}` };
    if (known !== undefined) visit(part, known, one, inside(name));
    else if (typeof additionalProperties === "object") visit(part, additionalProperties, one, inside(name));
    else if (isKnown && additionalProperties !== true) note(at, `${inside(name)}: is not described`);
  }
}

function visitList(at: Visit, schema: Schema, value: readonly unknown[], path: string): void {
  const { items, prefixItems = [], minItems = 0, maxItems = Number.POSITIVE_INFINITY } = schema;
  if (value.length < minItems || value.length > maxItems) {
    at.found.problems.push(`${path || "the body"}: has ${value.length} items`);
  }
  value.forEach((one, index) => {
    const expected = prefixItems[index] ?? (typeof items === "object" ? items : undefined);
    const item = { ...at, shape: `${at.shape}[]` };
    if (expected !== undefined) visit(item, expected, one, `${path}[${index}]`);
  });
}

function visitText(schema: Schema, value: string, report: (problem: string) => void): void {
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY, pattern, format } = schema;
  if (value.length < minLength || value.length > maxLength)
    report(`is a string of ${value.length} characters`);
  if (pattern !== undefined && !new RegExp(pattern, "u").test(value))
    report(`is ${show(value)}, which ${pattern} does not match`);
  if (format !== undefined && FORMATS[format]?.(value) === false)
    report(`is ${show(value)}, which is no ${format}`);
}

function visitNumber(schema: Schema, value: number, report: (problem: string) => void): void {
  const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = schema;
  if (value < minimum || value > maximum) report(`is ${value}, outside of ${minimum} to ${maximum}`);
}

function isOfType(type: string, value: unknown): boolean {
  if (type === "integer") return Number.isInteger(value);
  return kindOf(value) === type;
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}
