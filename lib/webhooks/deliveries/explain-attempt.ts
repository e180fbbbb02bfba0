import "server-only";
import type { AttemptError, AttemptResult } from "@/lib/webhooks/deliveries/attempt/attempt-result";

const BY_ERROR = {
  timeout:
    "The endpoint did not respond in time. Respond within 10 seconds and process the event afterwards.",
  refused:
    "No server is listening at this host and port. Start the server and check the port in the target URL.",
  reset: "The connection was closed before a response arrived. Check the logs of the server or its proxy.",
  tls: "The TLS connection failed. The certificate must match the host, be unexpired and include its full chain.",
  network:
    "The host could not be reached. Check that it is running and that its firewall allows connections from Trunkline.",
  dns: "The host name could not be resolved. Check its spelling and DNS records. Trunkline does not retry these deliveries.",
  dns_unavailable:
    "The resolver of Trunkline's host failed or did not respond. If other endpoints work, check the name servers of this host name.",
  private_target:
    "The host name resolves to an IP address that webhooks can't reach. Use a public address, or ask the operator to add the host to WEBHOOK_ALLOW_PRIVATE.",
  invalid_target: "The target URL is invalid. Update the subscription with a valid URL.",
  not_in_version:
    "The payload version in the target URL has no such event. Set a newer version, then replay the event.",
  secret_unreadable:
    "The signing secret can't be decrypted with this instance's ENCRYPTION_KEY. Ask the operator to restore the key, or rotate the secret.",
  internal: "Trunkline could not prepare the event. Send the trace ID to your operator.",
} satisfies Record<AttemptError, string>;

const BY_STATUS: Readonly<Record<number, string>> = {
  401: "The endpoint requires authentication. Accept unauthenticated POST requests and verify their signature instead.",
  403: "The endpoint rejected the request. Check that it verifies the signature with the secret of this subscription.",
  404: "The URL does not exist on the server. Check the path of the target URL.",
  405: "The endpoint does not accept POST requests. Check its route and the path of the target URL.",
  408: "The endpoint timed out while it read the request. Check its logs.",
  410: "The endpoint reports that it is permanently gone. A second 410 response to a real event, at least one hour after the first, disables the subscription.",
  413: "The event exceeds the endpoint's size limit. Raise the limit.",
  415: "The endpoint does not accept JSON. Accept the content type application/json.",
  429: "The endpoint is rate limiting requests. Set a rate limit for the subscription. Trunkline retries deliveries of real events.",
};

/** The cause of a failed attempt and the action to take, or null for a successful attempt. */
export function explainAttempt({
  error,
  statusCode,
}: Pick<AttemptResult, "error" | "statusCode">): string | null {
  if (error !== null) return BY_ERROR[error];
  if (statusCode === null || (statusCode >= 200 && statusCode < 300)) return null;
  return BY_STATUS[statusCode] ?? describeStatusClass(statusCode);
}

/** Like `explainAttempt`, for a counted outcome: the status code of the response, or the error name without one. */
export function explainOutcome(outcome: string): string | null {
  const byError: Readonly<Record<string, string>> = BY_ERROR;
  return byError[outcome] ?? explainAttempt({ error: null, statusCode: Number(outcome) });
}

function describeStatusClass(statusCode: number): string {
  if (statusCode < 400)
    return "Trunkline does not follow redirects. Set the target URL to the redirect's destination.";
  if (statusCode < 500) {
    return "The endpoint rejected the event. Trunkline does not retry rejected events. Return a 2xx status for every event that you store.";
  }
  return "The endpoint failed. Search its logs for the webhook-id. Trunkline retries failed deliveries of real events.";
}
