import { signWebhook } from "@/lib/webhooks/signing/sign-webhook";

const RESPONSE_TIMEOUT_MS = 10_000;
/** The error of a post without a response within the time limit. */
export const TIMED_OUT = "TimeoutError";

interface SignedPost {
  target: string;
  /** The secret that signs the body. */
  secret: string;
  subscriptionId: string;
  eventId: string;
  eventType: string;
  body: string;
  /** Further headers. */
  marks?: Record<string, string>;
}

/** The response to a post, or the reason why there was none. */
export interface PostResult {
  status: number | null;
  /** The code of the connection error, such as ECONNREFUSED, or `TIMED_OUT`; null with a response. */
  error: string | null;
  latencyMs: number;
}

/** Posts a body to a server, signed like a webhook. Does not follow redirects and waits at most ten seconds. */
export async function postSigned({
  target,
  secret,
  marks = {},
  ...signable
}: SignedPost): Promise<PostResult> {
  const signature = signWebhook({ legacy: secret, all: [secret] }, { ...signable, sentAt: new Date() });
  const headers = { "content-type": "application/json", ...signature, ...marks };
  const from = performance.now();
  const latencyMs = () => Math.round(performance.now() - from);
  try {
    const signal = AbortSignal.timeout(RESPONSE_TIMEOUT_MS);
    const response = await fetch(target, {
      method: "POST",
      headers,
      body: signable.body,
      redirect: "manual",
      signal,
    });
    await response.body?.cancel();
    return { status: response.status, error: null, latencyMs: latencyMs() };
  } catch (error) {
    return { status: null, error: errorCode(error), latencyMs: latencyMs() };
  }
}

function errorCode(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  return cause instanceof Error && "code" in cause ? String(cause.code) : error.name;
}

export function isSuccess({ status }: PostResult): boolean {
  return status !== null && status >= 200 && status < 300;
}
