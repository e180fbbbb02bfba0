import "server-only";
import { AdapterError, type AdapterErrorKind } from "@/lib/adapters/adapter-error";
import { type ErrorName, fail } from "@/lib/platform/errors";
import { log } from "@/lib/platform/log";

/** All other kinds become service_operation. */
const ANSWERS: Partial<Record<AdapterErrorKind, ErrorName>> = {
  not_reachable: "service_connection",
  unknown_outcome: "network_timeout",
};

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
    return fail(
      ANSWERS[kind] ?? "service_operation",
      "the card processor did not complete the request: retry in a few seconds",
    );
  }
}
