import "server-only";
import type { AttemptError, AttemptResult } from "@/lib/webhooks/attempt-result";

const BY_ERROR = {
  timeout: "No answer came in time. Answer first, within 10 seconds, and work on the event afterwards.",
  refused:
    "Nothing listens at this address and port. Start the server, and check the port of the target URL.",
  reset:
    "The connection was closed before an answer came. Look into the log of the server or of what stands before it.",
  tls: "No safe connection came about. The certificate must be valid for this host, not expired and complete with its chain.",
  network: "The host could not be reached. Check that it is up and that its firewall lets this service in.",
  dns: "The host's name is not known. Check its spelling and its DNS entries; such events are not tried again.",
  private_target:
    "This service does not connect to the address the name leads to. Use a public one, or have the operator name the host in WEBHOOK_ALLOW_PRIVATE.",
  invalid_target: "The target URL cannot be used. Change it.",
  not_in_version:
    "The payload version the target URL asks for has no such event. Ask for a newer one, then replay the event.",
  secret_unreadable:
    "The signing secret can't be decrypted with this instance's ENCRYPTION_KEY. Ask the operator to restore the key, or rotate the secret.",
  internal: "The event could not be prepared here. Tell the operator the trace id.",
} satisfies Record<AttemptError, string>;

const BY_STATUS: Readonly<Record<number, string>> = {
  401: "The endpoint asks for a login. Let it accept posts without one, and check their signature instead.",
  403: "The endpoint refuses the post. Check that it verifies the signature with the secret of this very subscription.",
  404: "There is nothing at this address. Check the path of the target URL.",
  405: "The endpoint takes no POST. Check its route and the path of the target URL.",
  408: "The endpoint gave up reading the event. Look into its log.",
  410: "The endpoint says that it is gone for good. The second such answer to a real event, at least an hour after the first, disables the subscription.",
  413: "The endpoint takes no event of this size. Raise its limit.",
  415: "The endpoint takes no JSON. Let it accept application/json.",
  429: "The endpoint asks to be called less often. Set a rate limit; real events are tried again.",
};

/** What an attempt that did not get through means and what to do about it; null for one that did. */
export function explainAttempt({
  error,
  statusCode,
}: Pick<AttemptResult, "error" | "statusCode">): string | null {
  if (error !== null) return BY_ERROR[error];
  if (statusCode === null || (statusCode >= 200 && statusCode < 300)) return null;
  return BY_STATUS[statusCode] ?? ofItsKind(statusCode);
}

/** As `explainAttempt`, by what attempts are counted as: the status code of the answer, or why there was none. */
export function explainOutcome(outcome: string): string | null {
  const byError: Readonly<Record<string, string>> = BY_ERROR;
  return byError[outcome] ?? explainAttempt({ error: null, statusCode: Number(outcome) });
}

function ofItsKind(statusCode: number): string {
  if (statusCode < 400) return "Redirects are not followed. Use the address it leads to as the target URL.";
  if (statusCode < 500) {
    return "The endpoint refuses the event, and a real one is not tried again. Answer 2xx to all you have stored.";
  }
  return "The endpoint failed. Look into its log for the webhook-id; real events are tried again.";
}
