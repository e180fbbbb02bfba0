import "server-only";
import type { z } from "zod";
import { BODY_LIMIT_BYTES, type Contract, type Input } from "@/lib/platform/contract";
import { type ErrorName, fail } from "@/lib/platform/errors";

type Source = "path" | "query" | "body";

/**
 * Everything of a request a contract names, parsed. Errors: body_invalid (no JSON, over the limit, U+0000),
 * field_missing, phone_not_e164, content_invalid, parameter_invalid, or the name a schema gives in `params.error`.
 */
export async function parseInput<C extends Contract>(
  contract: C,
  request: Request,
  pathParams: Record<string, string>,
): Promise<Input<C>> {
  const params = contract.params && parse(contract.params, pathParams, "path");
  const query = contract.query && parse(contract.query, queryOf(request), "query");
  const body = contract.body && parse(contract.body, await readBody(contract, request), "body");
  return { params, query, body } as Input<C>;
}

function parse(schema: z.ZodType, value: unknown, source: Source): unknown {
  const result = schema.safeParse(value, { reportInput: true });
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  if (issue === undefined) fail("body_invalid");
  return fail(nameOf(issue, source), sentenceOf(issue, source));
}

function nameOf(issue: z.core.$ZodIssue, source: Source): ErrorName {
  if (issue.code === "custom" && typeof issue.params?.error === "string")
    return issue.params.error as ErrorName;
  if (source !== "body") return "parameter_invalid";
  if (issue.code === "invalid_type" && issue.input === undefined) return "field_missing";
  if (issue.path.length === 0) return "body_invalid";
  return issue.path[0] === "message" ? "content_invalid" : "parameter_invalid";
}

function sentenceOf(issue: z.core.$ZodIssue, source: Source): string {
  const path = issue.path.map((key) => (typeof key === "number" ? `[${key}]` : `.${String(key)}`)).join("");
  const where = path === "" ? source : path.replace(/^\./, "");
  return `${where}: ${issue.message}`;
}

// Arrays arrive comma-joined from the official clients and repeated from curl (contract.md 1.4): both become commas.
function queryOf(request: Request): Record<string, string> {
  const query: Record<string, string> = {};
  const start = request.url.indexOf("?");
  if (start === -1) return query;
  for (const [key, value] of new URLSearchParams(request.url.slice(start + 1))) {
    query[key] = Object.hasOwn(query, key) ? `${query[key]},${value}` : value;
  }
  return query;
}

async function readBody(contract: Contract, request: Request): Promise<unknown> {
  const limit = contract.bodyLimitBytes ?? BODY_LIMIT_BYTES;
  const text = await readText(request, limit);
  if (text === "" && contract.bodyOptional === true) return {};
  if (text === "") fail("body_invalid", "a JSON body is required");
  const value = parseJson(text);
  // PostgreSQL's jsonb holds neither; only an escape can bring them in, so most bodies skip the walk.
  if (/\\u(0000|d[89a-f])/i.test(text) && !isStorable(value)) {
    fail("body_invalid", "U+0000 and unpaired surrogates are not allowed in text");
  }
  return value;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    return fail("body_invalid", error instanceof Error ? error.message : "the body is not JSON");
  }
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

async function readText(request: Request, limit: number): Promise<string> {
  const tooLarge = () => fail("body_invalid", `the body is larger than ${limit} bytes`);
  const length = request.headers.get("content-length");
  if (length !== null) {
    if (Number(length) > limit) tooLarge();
    return request.text();
  }
  if (request.body === null) return "";
  return readStream(request.body, limit, tooLarge);
}

// Without Content-Length the bytes are counted as they come, so an endless body stops at the limit.
async function readStream(
  body: ReadableStream<Uint8Array>,
  limit: number,
  tooLarge: () => never,
): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > limit) tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
