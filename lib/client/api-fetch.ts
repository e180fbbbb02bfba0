import { askForProof } from "@/lib/client/ask-for-proof";
import { PROOF_HEADER } from "@/lib/identity/sessions/proof-rule";

/** An error response of the dashboard's private API. */
export class ApiFailure extends Error {
  constructor(
    readonly status: number,
    message: string,
    /** The code from the error table. Absent if there was no response, or if the response is not from Trunkline. */
    readonly code?: number,
    readonly traceId?: string,
    readonly docUrl?: string,
    /** The server says that repeating the request is of no use. */
    readonly isFinal = false,
  ) {
    super(message);
  }
}

interface RequestOptions {
  method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  body?: unknown;
  signal?: AbortSignal;
  /** Lets the request outlive its page. Its body may have 64 kB. */
  keepalive?: boolean;
  headers?: Readonly<Record<string, string>>;
}

/** The message shown when no response arrived. */
export const UNREACHABLE =
  "The server did not respond. Check your connection and that the server is running, then try again.";

/**
 * Calls the dashboard's private API. `Answer` is the `returns` of the operation's contract. Throws ApiFailure. A user
 * who is no longer signed in is redirected to the sign-in page and back afterwards. A request that requires a recent
 * proof of identity is repeated after the user has confirmed it.
 */
export async function apiFetch<Answer>(
  path: string,
  { method = "GET", body, signal, keepalive, headers }: RequestOptions = {},
): Promise<Answer> {
  const sendRequest = () =>
    fetch(path, {
      method,
      signal,
      keepalive,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      headers: { ...(body === undefined ? {} : { "content-type": "application/json" }), ...headers },
    }).catch((error: unknown) => {
      if (signal?.aborted) throw error;
      throw new ApiFailure(0, UNREACHABLE);
    });
  let response = await sendRequest();
  if (await isProvenFor(response)) response = await sendRequest();
  if (response.status === 401) askToSignIn();
  if (!response.ok) {
    const isFinal = response.headers.get("x-should-retry") === "false";
    throw toFailure(response.status, await response.json().catch(() => ({})), isFinal);
  }
  return response.status === 204 ? (undefined as Answer) : response.json();
}

/** Asks for the proof of identity that a rejected request requires. Whether the user has confirmed it. */
async function isProvenFor({ headers }: Response): Promise<boolean> {
  const proof = headers.get(PROOF_HEADER);
  return proof !== null && askForProof(proof === "passkey" ? proof : "required");
}

/** Asks for the proof of identity that a download requires, if it requires one. Whether the download can begin. */
export async function confirmIdentityFor(path: string): Promise<boolean> {
  const response = await fetch(path, { method: "HEAD" });
  return !response.headers.has(PROOF_HEADER) || isProvenFor(response);
}

let hasEnded = false;

/** Whether a request was answered with 401: the browser goes to the sign-in page, and nothing can be sent before. */
export function sessionHasEnded(): boolean {
  return hasEnded;
}

function askToSignIn(): void {
  hasEnded = true;
  const here = `${location.pathname}${location.search}`;
  location.assign(`/sign-in?to=${encodeURIComponent(here)}&ended=1`);
}

export interface Envelope {
  error?: { code?: number; message?: string; doc_url?: string };
  trace_id?: string;
}

/** Converts an error response to an ApiFailure, from its status and its envelope. */
export function toFailure(status: number, { error, trace_id }: Envelope, isFinal?: boolean): ApiFailure {
  const message = error?.message ?? `The server returned status ${status}. Try again.`;
  return new ApiFailure(status, message, error?.code, trace_id, error?.doc_url, isFinal);
}
