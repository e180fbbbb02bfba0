import "server-only";
import { AdapterError } from "@/lib/adapters/adapter-error";
import { log } from "@/lib/platform/telemetry/log";

/**
 * Runs a vendor's operation with a time limit, because an adapter that ignores its signal must not outlive its lease.
 * Errors: AdapterError `unknown_outcome` when the time is up, and whatever the operation throws.
 */
export async function withTimeout<Result>(
  timeoutMs: number,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const signal = AbortSignal.timeout(timeoutMs);
  const timedOut = new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () =>
      reject(new AdapterError("unknown_outcome", "no response in time")),
    );
  });
  return Promise.race([work(signal), timedOut]);
}

/** Converts a thrown error to an AdapterError. An unexpected error counts as an unknown outcome. */
export function toAdapterError(error: unknown): AdapterError {
  if (error instanceof AdapterError) return error;
  log.error({ err: error }, "an adapter failed unexpectedly");
  return new AdapterError("unknown_outcome", "the adapter failed unexpectedly");
}
