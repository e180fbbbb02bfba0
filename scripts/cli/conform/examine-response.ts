import type { ApiDocument, Operation } from "@/scripts/cli/conform/api-document";
import type { ApiResponse } from "@/scripts/cli/conform/api-request";
import type { Finding } from "@/scripts/cli/conform/check";
import { retryAfterOf } from "@/scripts/cli/conform/http-client";
import { validate } from "@/scripts/cli/conform/validate-schema";
import { textAt, valueAt } from "@/scripts/cli/conform/value-at";

/** The response that a check expects. */
export interface Expected {
  /** One or several statuses. */
  status: number | readonly number[];
  /** The error codes, of which one must be the response's. Undefined: any that the document names for the status. */
  codes?: readonly number[];
  /**
   * Codes that say that the account can't do this, which skips the check, beside those of any account. In an account of the run's
   * own only `toleratedInOwn`: there, each is a difference.
   */
  tolerated?: readonly number[];
  /** Codes that skip the check also in an account of the run's own, because what the step acts on may not be there. */
  toleratedInOwn?: readonly number[];
}

/** Opted-out and blocked people, sandboxes, features that are off, and restricted lines. */
const ACCOUNT_CODES = [2005, 2008, 2011, 2024, 2026, 2027, 4002, 4004, 4009, 4010];
/** Why a check of an addition of Trunkline is skipped. */
export const NOT_OFFERED = "extension, not offered";
const TRACE_ID = /^[0-9a-f]{32}$/;

export function codeOf(response: ApiResponse): number | null {
  const code = valueAt(response.json, "error.code");
  return typeof code === "number" ? code : null;
}

/** How a response is shown: `201`, `400/1005 Invalid parameter value`. */
export function describeResponse(response: ApiResponse): string {
  const { status, failure } = response;
  if (status === 0) return failure ?? "no response";
  const code = codeOf(response);
  if (code === null) return String(status);
  return `${status}/${code} ${(textAt(response.json, "error.message") ?? "").slice(0, 120)}`.trim();
}

/**
 * Compares a response with the document and with what a check expects: status, error code, error object, headers and
 * every field.
 */
export function examine(
  document: ApiDocument,
  operation: Operation,
  response: ApiResponse,
  expected: Expected & { isOwn: boolean },
): Finding {
  const { status } = response;
  const code = codeOf(response);
  const statuses = [expected.status].flat();
  if (status === 0) return { problems: [response.failure ?? "no response"] };
  if (isNotOffered(operation, response)) return { skip: NOT_OFFERED };
  if (status === 429 && !statuses.includes(429)) {
    return { skip: `rate limited for ${retryAfterOf(response) ?? "an unknown number of"} s` };
  }
  const ofOthers = expected.isOwn ? [] : [...ACCOUNT_CODES, ...(expected.tolerated ?? [])];
  const accountCodes = [...ofOthers, ...(expected.toleratedInOwn ?? [])];
  const isSuccessExpected = statuses.some((one) => one < 300);
  if (!statuses.includes(status) && isSuccessExpected && code !== null && accountCodes.includes(code)) {
    const shape = shapeOf(document, operation, response);
    return (shape.problems ?? []).length > 0
      ? shape
      : { skip: `this account can't: ${describeResponse(response)}` };
  }
  if (!statuses.includes(status)) {
    return { problems: [`${describeResponse(response)} in place of ${statuses.join(" or ")}`] };
  }
  const known = expected.codes ?? operation.responses.get(status)?.codes ?? [];
  const isWrongCode = status >= 400 && known.length > 0 && !(code !== null && known.includes(code));
  const shape = shapeOf(document, operation, response);
  const wrong = isWrongCode
    ? [`${describeResponse(response)} in place of ${status}/${known.join(" or ")}`]
    : [];
  return { ...shape, problems: [...wrong, ...(shape.problems ?? [])] };
}

/** Whether an extension of Trunkline is missing, as in other implementations. */
function isNotOffered({ isExtension }: Operation, response: ApiResponse): boolean {
  if (!isExtension) return false;
  const code = codeOf(response);
  return [404, 405].includes(response.status) && (code === null || code === 1003);
}

/** The headers and the body of a response, whatever its status. */
function shapeOf(document: ApiDocument, operation: Operation, response: ApiResponse): Finding {
  const { status, headers, json, text } = response;
  const problems: string[] = [];
  const traceId = headers.get("x-trace-id");
  if (traceId === null) problems.push("the header X-Trace-ID is missing");
  else if (!TRACE_ID.test(traceId)) problems.push(`the header X-Trace-ID is ${traceId}, not 32 hex digits`);
  if (status >= 400) problems.push(...errorProblems(response, traceId));
  if (status === 401 && !/^Bearer/i.test(headers.get("www-authenticate") ?? "")) {
    problems.push("the header WWW-Authenticate is not Bearer");
  }
  const documented = operation.responses.get(status);
  if (documented === undefined) problems.push(`the document does not name the status ${status}`);
  const schema = documented?.schema ?? (status >= 400 ? document.components.schemas.ErrorEnvelope : null);
  if (schema === null || schema === undefined) {
    if (text !== "" && documented !== undefined)
      problems.push("has a body, which the document does not name");
    return { problems };
  }
  const type = headers.get("content-type") ?? "none";
  const expectedType = documented?.contentType ?? "application/json";
  if (!type.startsWith(expectedType))
    problems.push(`the content type is ${type} in place of ${expectedType}`);
  if (expectedType !== "application/json") return { problems };
  if (json === undefined) return { problems: [...problems, "the body is not JSON"] };
  const shape = validate(document, schema, json, operation.name);
  return { problems: [...problems, ...shape.problems], notes: shape.notes };
}

function errorProblems(response: ApiResponse, traceId: string | null): string[] {
  const status = valueAt(response.json, "error.status");
  const inBody = textAt(response.json, "trace_id");
  const problems: string[] = [];
  if (status !== undefined && status !== response.status) {
    problems.push(`error.status is ${status}, the status ${response.status}`);
  }
  if (inBody !== undefined && traceId !== null && inBody !== traceId) {
    problems.push("trace_id is not the X-Trace-ID");
  }
  return problems;
}

/** The problems of a 429, which promises: the code, the seconds in the body and the same in the header. */
export function limitProblems(response: ApiResponse): string[] {
  const code = codeOf(response);
  const seconds = valueAt(response.json, "error.retry_after");
  const header = response.headers.get("retry-after");
  const problems: string[] = [];
  if (code !== 1007) problems.push(`the code is ${code ?? "missing"} in place of 1007`);
  if (!Number.isInteger(seconds)) problems.push("error.retry_after is missing");
  if (header === null) problems.push("the header Retry-After is missing");
  else if (header !== String(seconds)) {
    problems.push(`Retry-After is ${header}, error.retry_after ${seconds ?? "missing"}`);
  }
  if (Number(seconds) > 60 && response.headers.get("x-should-retry") !== "false") {
    problems.push("x-should-retry is not false for a wait of more than 60 s");
  }
  return problems;
}
