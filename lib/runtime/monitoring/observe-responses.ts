import "server-only";
import { httpResponses } from "@/lib/platform/telemetry/metrics";
import { onRequestFinished } from "@/lib/runtime/http/observe";

const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/** Counts the API's responses. Returns a function that stops counting. */
export function observeResponses(): () => Promise<void> {
  const stop = onRequestFinished(({ request }, { status }) => {
    const method = METHODS.has(request.method) ? request.method : "other";
    httpResponses.inc({ method, status: `${Math.floor(status / 100)}xx` });
  });
  return async () => stop();
}
