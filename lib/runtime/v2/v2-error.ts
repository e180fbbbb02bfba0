import "server-only";
import { ApiError } from "@/lib/platform/errors/errors";
import { log } from "@/lib/platform/telemetry/log";
import type { Answer } from "@/lib/runtime/http/answer";

const CODES = {
  401: ["unauthorized", "Unauthorized"],
  403: ["forbidden", "Forbidden"],
  404: ["not_found", "Not Found"],
  429: ["too_many_requests", "Too Many Requests"],
  500: ["internal_error", "Internal Server Error"],
  503: ["service_unavailable", "Service Unavailable"],
} as const;

/** An error response in the V2 format (docs/contract.md, section 16.1). */
export function v2Error(status: keyof typeof CODES, detail: string): Pick<Answer, "status" | "text"> {
  const [code, title] = CODES[status];
  return { status, text: JSON.stringify({ errors: [{ status, code, title, detail }] }) };
}

/** Converts any thrown value to the V2 format. Unexpected errors are logged and returned as 500. */
export function v2ErrorOf(thrown: unknown, traceId: string): Answer {
  const status = thrown instanceof ApiError ? thrown.row.status : 500;
  if (thrown instanceof ApiError && isExpected(status)) {
    const retryAfterSeconds = thrown.retryAfterSeconds ?? thrown.row.retryAfterSeconds;
    const headers: Answer["headers"] = {
      ...(retryAfterSeconds !== undefined && { "retry-after": String(retryAfterSeconds) }),
      ...(status === 401 && { "www-authenticate": "Bearer" }),
    };
    return { ...v2Error(status, thrown.message), headers };
  }
  log.error({ traceId, err: thrown }, "a V2 request failed unexpectedly");
  return { ...v2Error(500, "Internal server error: retry in a few seconds"), headers: {} };
}

function isExpected(status: number): status is 401 | 403 | 404 | 429 | 503 {
  return status in CODES && status !== 500;
}
