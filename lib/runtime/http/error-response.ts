import "server-only";
import { errorDocUrl } from "@/lib/platform/errors/error-doc-url";
import { ApiError } from "@/lib/platform/errors/errors";
import { log } from "@/lib/platform/telemetry/log";
import { type Answer, toResponse } from "@/lib/runtime/http/answer";

const MAX_CLIENT_SLEEP_SECONDS = 60;
const MAX_MESSAGE = 500;

/** Like `errorAnswer`, as a `Response`. */
export function errorResponse(thrown: unknown, traceId: string): Response {
  return toResponse(errorAnswer(thrown, traceId));
}

/**
 * Converts any thrown value to the error envelope (docs/contract.md, section 3.1). A value that is not an ApiError is
 * logged and returned as 3006.
 */
export function errorAnswer(thrown: unknown, traceId: string): Answer {
  const error = thrown instanceof ApiError ? thrown : unexpected(thrown, traceId);
  const { code, status } = error.row;
  const retryAfter = error.retryAfterSeconds ?? error.row.retryAfterSeconds;
  const body = {
    success: false,
    error: {
      status,
      code,
      message: shorten(error.message),
      doc_url: errorDocUrl(code),
      ...(retryAfter === undefined ? {} : { retry_after: retryAfter }),
      ...error.fields,
    },
    trace_id: traceId,
  };
  const headers = headersOf(error, retryAfter, traceId);
  return { status, headers, text: JSON.stringify(body), errorCode: code };
}

// A message may quote the request, which may be megabytes long.
function shorten(message: string): string {
  return message.length <= MAX_MESSAGE ? message : `${message.slice(0, MAX_MESSAGE).toWellFormed()}…`;
}

function headersOf(error: ApiError, retryAfter: number | undefined, traceId: string): Record<string, string> {
  const headers: Record<string, string> = {
    "content-type": "application/json",
    "x-trace-id": traceId,
  };
  // RFC 9110, 15.5.2.
  if (error.row.status === 401) headers["www-authenticate"] = "Bearer";
  if (retryAfter !== undefined) headers["retry-after"] = String(retryAfter);
  const shouldRetry = shouldClientRetry(error, retryAfter);
  if (shouldRetry !== null) headers["x-should-retry"] = String(shouldRetry);
  return { ...headers, ...error.headers };
}

// The official client waits for Retry-After without a cap, and retries every 409 and 5xx unless a header forbids it
// (docs/contract.md, section 3.2).
function shouldClientRetry(error: ApiError, retryAfter: number | undefined): boolean | null {
  if (retryAfter !== undefined && retryAfter > MAX_CLIENT_SLEEP_SECONDS) return false;
  if (error.row.retry === undefined) return null;
  return error.row.retry === "later";
}

function unexpected(thrown: unknown, traceId: string): ApiError {
  log.error({ traceId, err: thrown }, "a request failed unexpectedly");
  return new ApiError("internal");
}
