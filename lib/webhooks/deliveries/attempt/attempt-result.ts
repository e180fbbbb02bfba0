import "server-only";
import { BlockedTarget } from "@/lib/platform/guarded-fetch/guarded-connector";
import type { RequestTiming } from "@/lib/platform/guarded-fetch/request-timing";
import { TimedOut } from "@/lib/platform/guarded-fetch/safe-fetch";
import type { RetryLadder } from "@/lib/platform/time/retry-ladder";
import { nextWaitMs, type RetryState } from "@/lib/webhooks/deliveries/attempt/retry-schedule";
import type { PostedRequest } from "@/lib/webhooks/deliveries/attempt/stored-request";

/** Failures without a response, and whether a retry may succeed (docs/contract.md, section 12.8). */
const ATTEMPT_ERRORS = {
  timeout: { retry: true },
  refused: { retry: true },
  reset: { retry: true },
  tls: { retry: true },
  network: { retry: true },
  dns: { retry: false },
  /** The resolver failed or did not respond, which says nothing about the name (docs/contract.md, section 12.8). */
  dns_unavailable: { retry: true },
  private_target: { retry: false },
  invalid_target: { retry: false },
  /** Trunkline's fault: the event could not be rendered. A fix may be deployed before the retries end. */
  internal: { retry: true },
  /** No key of ENCRYPTION_KEY opens a secret that the request needs. Deliveries wait without using an attempt. */
  secret_unreadable: { retry: true },
  /** The endpoint has since changed to a version without this event type: there is nothing to post. */
  not_in_version: { retry: false },
} as const satisfies Record<string, { retry: boolean }>;

export type AttemptError = keyof typeof ATTEMPT_ERRORS;

/** One HTTP exchange of a delivery, or the reason why there was none. */
export interface AttemptResult {
  /** Platform clock. */
  startedAt: Date;
  latencyMs: number;
  timing: RequestTiming | null;
  /** null when nothing was posted. */
  request: PostedRequest | null;
  statusCode: number | null;
  error: AttemptError | null;
  responseHeaders: Record<string, string> | null;
  /** The beginning of the response, as text. */
  responseBody: string | null;
  /** The wait that the receiver requested with `Retry-After`. */
  retryAfterMs: number | null;
  /** The value of the subscription's routing header in a successful response; null = none. */
  routingToken?: string | null;
}

/** The state of a delivery after an attempt. */
export type Evaluation =
  | { status: "delivered" | "failed" | "skipped"; retryInMs: null }
  | { status: "waiting"; retryInMs: number };

/**
 * A 2xx response delivers the event. 5xx, 429 and network errors are retried while retries remain, no earlier than the
 * receiver requests. Every other response is final. An event that the endpoint's version can't render is skipped.
 */
export function evaluateAttempt(
  result: AttemptResult,
  state: RetryState,
  ladder: RetryLadder,
  random: number,
): Evaluation {
  if (isSuccess(result.statusCode)) return { status: "delivered", retryInMs: null };
  if (result.error === "not_in_version") return { status: "skipped", retryInMs: null };
  const retryInMs = mayRetry(result) ? nextWaitMs(ladder, state, result.retryAfterMs, random) : null;
  return retryInMs === null ? { status: "failed", retryInMs } : { status: "waiting", retryInMs };
}

/** Whether the endpoint is healthy: it responded without a server error, or was not called. */
export function isHealthy({ statusCode, error }: AttemptResult): boolean {
  if (error === "not_in_version") return true;
  return statusCode !== null && statusCode < 500 && statusCode !== 429;
}

/** Maps an exception of `postGuarded` to an attempt error. */
export function attemptError(thrown: unknown): AttemptError {
  if (thrown instanceof BlockedTarget) return "private_target";
  if (thrown instanceof TimedOut) return "timeout";
  const code = codeOf(thrown);
  return BY_CODE.get(code) ?? (isTlsCode(code) ? "tls" : "network");
}

const BY_CODE: ReadonlyMap<string, AttemptError> = new Map([
  ["ECONNREFUSED", "refused"],
  ["ECONNRESET", "reset"],
  ["EPIPE", "reset"],
  ["UND_ERR_SOCKET", "reset"],
  ["ETIMEDOUT", "timeout"],
  ["UND_ERR_CONNECT_TIMEOUT", "timeout"],
  ["ENOTFOUND", "dns"],
  ["EAI_AGAIN", "dns_unavailable"],
  ["EAI_FAIL", "dns_unavailable"],
  ["ESERVFAIL", "dns_unavailable"],
  ["ETIMEOUT", "dns_unavailable"],
  ["EAI_NODATA", "dns"],
  ["EAI_NONAME", "dns"],
  ["ENODATA", "dns"],
  ["ERR_INVALID_URL", "invalid_target"],
  ["UND_ERR_INVALID_ARG", "invalid_target"],
]);

function isSuccess(statusCode: number | null): boolean {
  return statusCode !== null && statusCode >= 200 && statusCode < 300;
}

function mayRetry({ statusCode, error }: AttemptResult): boolean {
  if (error !== null) return ATTEMPT_ERRORS[error].retry;
  return statusCode !== null && (statusCode >= 500 || statusCode === 429);
}

function codeOf(thrown: unknown): string {
  return thrown instanceof Error && "code" in thrown && typeof thrown.code === "string" ? thrown.code : "";
}

function isTlsCode(code: string): boolean {
  return /^ERR_(SSL|TLS)_|CERT|SELF_SIGNED|UNABLE_TO_(GET|VERIFY)|^EPROTO$/.test(code);
}
