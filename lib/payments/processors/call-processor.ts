import "server-only";
import { AdapterError, type AdapterErrorKind } from "@/lib/adapters/adapter-error";
import { type ErrorName, fail } from "@/lib/platform/errors/errors";
import { log } from "@/lib/platform/telemetry/log";

/** The error of each kind and what to do. All other kinds are rejections, which a retry does not change. */
const ANSWERS: Partial<Record<AdapterErrorKind, readonly [ErrorName, string]>> = {
  not_reachable: ["service_connection", "the card processor could not be reached: retry in a few seconds"],
  rate_limited: ["service_operation", "the card processor is limiting requests: retry in a few seconds"],
  unknown_outcome: [
    "network_timeout",
    "the card processor did not confirm the request, which it may have performed: repeat it with the same Idempotency-Key",
  ],
};
const REJECTED = [
  "service_operation",
  "the card processor rejected the request, and would reject it again: check the request and the processor account",
] as const;

/**
 * Returns the processor's response. Errors: service_connection (3003) when the processor is unreachable,
 * service_operation (3004) when it rejects the request or its response is invalid, network_timeout (3005) when the
 * operation may have been performed.
 */
export async function callProcessor<Result>(call: Promise<Result>): Promise<Result> {
  try {
    return await call;
  } catch (error) {
    const kind = error instanceof AdapterError ? error.kind : "unknown_outcome";
    log.warn({ kind, error: error instanceof Error ? error.message : "" }, "the card processor failed");
    return fail(...(ANSWERS[kind] ?? REJECTED));
  }
}
