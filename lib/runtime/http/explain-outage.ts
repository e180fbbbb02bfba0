import "server-only";
import { outageOf } from "@/lib/platform/database/database-outage";
import { currentScope } from "@/lib/platform/database/database-scope";
import { DEADLOCK, hasSqlState } from "@/lib/platform/database/has-sql-state";
import { ApiError } from "@/lib/platform/errors/errors";
import { log } from "@/lib/platform/telemetry/log";

const READS: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

interface FailedRequest {
  request: Pick<Request, "method">;
  traceId: string;
  /** The parsed input, if parsing succeeded. An idempotency key is honored only if the input contains it. */
  input?: unknown;
}

/**
 * Returns the response to a request that failed because the database is unavailable, or whose transaction was rolled back
 * because of a deadlock: 503/4004 with Retry-After. A write without an idempotency key that may have been committed must
 * not be repeated automatically. Any other error is returned unchanged.
 */
export function explainOutage(thrown: unknown, { request, traceId, input }: FailedRequest): unknown {
  if (thrown instanceof ApiError) return thrown;
  const scope = currentScope();
  const outage = outageOf(thrown);
  const isDeadlock = hasSqlState(thrown, DEADLOCK);
  if (outage === null && scope?.sawOutage !== true && !isDeadlock) return thrown;
  log.warn(
    { traceId, err: thrown },
    isDeadlock ? "a request ended in a deadlock" : "the database was not available for a request",
  );

  const mayHaveWritten = scope?.mayHaveWritten ?? outage === "unknown";
  if (!mayHaveWritten || READS.has(request.method) || hasKey(input)) {
    if (isDeadlock)
      return new ApiError("service_unavailable", "others were changing the same data: retry", 1);
    return new ApiError("service_unavailable", "the database is not responding: retry in 30 seconds");
  }
  return new ApiError(
    "outcome_unknown",
    "the database could not finish the request and the change may have been stored. Check before you retry. A send with an idempotency key can be retried safely",
  );
}

function hasKey(input: unknown): boolean {
  const { headers, body } = (input ?? {}) as { headers?: unknown; body?: unknown };
  return [
    property(headers, "idempotency-key"),
    property(body, "idempotency_key"),
    property(property(body, "message"), "idempotency_key"),
    property(property(body, "poll"), "idempotency_key"),
  ].some((key) => typeof key === "string" && key !== "");
}

function property(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}
