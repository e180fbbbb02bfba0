import "server-only";
import { AdapterError, type AdapterErrorKind } from "@/lib/adapters/adapter-error";
import { type ErrorName, fail } from "@/lib/platform/errors/errors";

const FAILURES: Partial<Record<AdapterErrorKind, ErrorName>> = {
  not_reachable: "service_connection",
  unknown_outcome: "network_timeout",
};

/**
 * Calls a card provider and converts its failures to API errors. Errors: service_connection (3003), service_operation
 * (3004), network_timeout (3005).
 */
export async function callProvider<Result>(ask: () => Promise<Result>): Promise<Result> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof AdapterError)) throw error;
    return fail(FAILURES[error.kind] ?? "service_operation", `the card provider: ${error.message}`);
  }
}
