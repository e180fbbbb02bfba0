import "server-only";
import type { z } from "zod";
import type { Contract, Input } from "@/lib/platform/contract";
import { type ErrorName, fail } from "@/lib/platform/errors/errors";

const MAX_DEPTH = 100;

type Source = "path" | "query" | "headers" | "body";

export interface RawInput {
  url: string;
  params: Record<string, string>;
  headers: Headers;
  /** The body; empty when there is none. */
  text: string;
}

/**
 * Parses all request input that a contract declares. Errors: body_invalid (not JSON, U+0000, nested too deeply),
 * parameter_invalid for a key `__proto__`, field_missing, phone_not_e164, content_invalid, parameter_invalid, or the error that a schema names in
 * `params.error`.
 */
export function parseInput<C extends Contract>(contract: C, raw: RawInput): Input<C> {
  const params = contract.params && parse(contract.params, raw.params, "path");
  const query = contract.query && parse(contract.query, queryOf(raw.url), "query");
  const headers = contract.headers && parse(contract.headers, Object.fromEntries(raw.headers), "headers");
  const body = contract.body && parse(contract.body, parseBody(contract, raw.text), "body");
  return { params, query, headers, body } as Input<C>;
}

function parse(schema: z.ZodType, value: unknown, source: Source): unknown {
  const result = schema.safeParse(value, { reportInput: true });
  if (result.success) return result.data;
  const dropped = source === "body" ? dropNulls(value, result.error.issues) : [];
  if (dropped.length > 0) return parseWithoutNulls(schema, value, result.error, dropped);
  return failWith(result.error.issues[0], source);
}

/**
 * An explicit null for an optional field counts as absent, so a client can send back what a response contained
 * (docs/contract.md, section 1.2). A schema that accepts null reports no issue and is not affected; null for a required
 * field stays invalid.
 */
function parseWithoutNulls(
  schema: z.ZodType,
  value: unknown,
  first: z.core.$ZodError,
  dropped: readonly string[],
): unknown {
  const result = schema.safeParse(value, { reportInput: true });
  if (result.success) return result.data;
  const more = dropNulls(value, result.error.issues);
  if (more.length > 0) return parseWithoutNulls(schema, value, first, [...dropped, ...more]);
  const [issue] = result.error.issues;
  const isRequired = issue !== undefined && dropped.includes(issue.path.join("."));
  return failWith(isRequired ? first.issues[0] : issue, "body");
}

/** Deletes keys whose null value caused an issue. Returns their paths. */
function dropNulls(value: unknown, issues: readonly z.core.$ZodIssue[]): string[] {
  return issues.flatMap(({ path, input }) => {
    const key = path.at(-1);
    if (input !== null || typeof key !== "string") return [];
    const parent = path.slice(0, -1).reduce<unknown>(valueAt, value);
    if (valueAt(parent, key) !== null) return [];
    delete (parent as Record<string, unknown>)[key];
    return [path.join(".")];
  });
}

function valueAt(of: unknown, key: PropertyKey): unknown {
  if (typeof of !== "object" || of === null || !Object.hasOwn(of, key)) return undefined;
  return (of as Record<PropertyKey, unknown>)[key];
}

function failWith(issue: z.core.$ZodIssue | undefined, source: Source): never {
  if (issue === undefined) fail("body_invalid");
  return fail(nameOf(issue, source), sentenceOf(issue, source));
}

// Types, enums and unions report a missing field with different codes.
const WHEN_MISSING: ReadonlySet<string> = new Set(["invalid_type", "invalid_value", "invalid_union"]);

function nameOf(issue: z.core.$ZodIssue, source: Source): ErrorName {
  if (issue.code === "custom" && typeof issue.params?.error === "string")
    return issue.params.error as ErrorName;
  if (source !== "path" && isMissing(issue)) return "field_missing";
  if (source !== "body") return "parameter_invalid";
  if (issue.code === "unrecognized_keys") return "parameter_invalid";
  if (issue.path.length === 0) return "body_invalid";
  return issue.path[0] === "message" ? "content_invalid" : "parameter_invalid";
}

function isMissing(issue: z.core.$ZodIssue): boolean {
  if (!WHEN_MISSING.has(issue.code)) return false;
  if (issue.input === undefined) return true;
  // For a missing discriminator, a discriminated union reports the whole object as the input.
  if (issue.code !== "invalid_union" || issue.discriminator === undefined) return false;
  return typeof issue.input === "object" && valueAt(issue.input, issue.discriminator) === undefined;
}

function sentenceOf(issue: z.core.$ZodIssue, source: Source): string {
  const path = issue.path.map((key) => (typeof key === "number" ? `[${key}]` : `.${String(key)}`)).join("");
  const where = path === "" ? source : path.replace(/^\./, "");
  return `${where}: ${issue.message}`;
}

// Official clients send arrays comma-joined, curl users repeat the parameter (docs/contract.md, section 1.2). Both
// forms become comma-joined.
function queryOf(url: string): Record<string, string> {
  const query: Record<string, string> = {};
  const start = url.indexOf("?");
  if (start === -1) return query;
  for (const [key, value] of new URLSearchParams(url.slice(start + 1))) {
    // PostgreSQL text cannot contain U+0000.
    if (value.includes("\0")) fail("parameter_invalid", `${key}: U+0000 is not allowed in text`);
    query[key] = Object.hasOwn(query, key) ? `${query[key]},${value}` : value;
  }
  return query;
}

function parseBody(contract: Contract, text: string): unknown {
  if (text === "" && contract.bodyOptional === true) return {};
  if (text === "") fail("body_invalid", "a JSON body is required");
  const value = parseJson(text);
  // PostgreSQL's jsonb cannot store U+0000 or lone surrogates. JSON can contain them only as escapes, so most bodies
  // skip the traversal.
  if (/\\u(0000|d[89a-f])/i.test(text) && !isStorable(value)) {
    fail("body_invalid", "U+0000 and unpaired surrogates are not allowed in text");
  }
  // Objects of JavaScript would drop the key.
  if (/__proto__|\\u005f/i.test(text) && hasKey(value, "__proto__")) {
    fail("parameter_invalid", "__proto__ is not allowed as a key: choose another name");
  }
  if (text.length > 2 * MAX_DEPTH && isDeeper(value, MAX_DEPTH)) {
    fail("body_invalid", `objects and arrays can be nested at most ${MAX_DEPTH} levels deep`);
  }
  return value;
}

// Recursive functions that serialize, compare or redact a deeply nested value would overflow the stack.
function isDeeper(value: unknown, most: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return most === 0 || Object.values(value).some((inner) => isDeeper(inner, most - 1));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    return fail("body_invalid", error instanceof Error ? error.message : "the body is not valid JSON");
  }
}

function hasKey(value: unknown, key: string): boolean {
  const open: unknown[] = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next !== "object" || next === null) continue;
    if (Object.hasOwn(next, key)) return true;
    open.push(...Object.values(next));
  }
  return false;
}

function isStorable(value: unknown): boolean {
  const open: unknown[] = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next === "string" && (next.includes("\0") || !next.isWellFormed())) return false;
    if (typeof next === "object" && next !== null) open.push(...Object.keys(next), ...Object.values(next));
  }
  return true;
}
