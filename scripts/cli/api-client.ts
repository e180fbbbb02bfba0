import { CliError, type Failure } from "@/scripts/cli/cli-error";

const RESPONSE_TIMEOUT_MS = 60_000;
/** Unauthorized and access denied. Other errors of status 403 are about the request, such as an opt-out. */
const DENIED = [2004, 2005];

interface Call {
  body?: unknown;
  query?: Readonly<Record<string, string | number | undefined>>;
}

/** A response of the instance. */
interface ApiResponse<Body> {
  body: Body;
  /** The Date header, in milliseconds since 1970; null without one. */
  date: number | null;
}

/** Calls an instance with a token. */
export interface ApiClient {
  url: string;
  token: string;
  /**
   * Returns the JSON of a successful response, null for a response without a body. Errors: denied,
   * unreachable, failed (all other responses).
   */
  call<Body>(operation: `${string} ${string}`, call?: Call): Promise<Body>;
  /** Like `call`, with the time of the instance. */
  respond<Body>(operation: `${string} ${string}`, call?: Call): Promise<ApiResponse<Body>>;
}

export function createApiClient({ url, token }: { url: string; token: string }): ApiClient {
  async function respond<Body>(
    operation: `${string} ${string}`,
    { body, query = {} }: Call = {},
  ): Promise<ApiResponse<Body>> {
    const [method = "GET", path = "/"] = operation.split(" ");
    const target = new URL(path, url);
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) target.searchParams.set(name, String(value));
    }
    const { response, text } = await sendAndRead(target, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        "user-agent": "trunkline-cli",
        ...(body !== undefined && { "content-type": "application/json" }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const value = parseJson(text);
    if (!response.ok) throw toCliError(value, target);
    if (text !== "" && value === undefined) throw notTrunkline(target);
    const date = Date.parse(response.headers.get("date") ?? "");
    return { body: (value ?? null) as Body, date: Number.isNaN(date) ? null : date };
  }

  return { url, token, respond, call: async (...call) => (await respond<never>(...call)).body };
}

/** Requests a URL of the instance. Errors: unreachable. */
export async function send(target: URL, init: RequestInit): Promise<Response> {
  return reach(target, () => fetch(target, { signal: AbortSignal.timeout(RESPONSE_TIMEOUT_MS), ...init }));
}

/** Like `send`, with the text of the response, during which an instance can end too. */
function sendAndRead(target: URL, init: RequestInit): Promise<{ response: Response; text: string }> {
  return reach(target, async () => {
    const response = await send(target, init);
    return { response, text: await response.text() };
  });
}

async function reach<Result>(target: URL, request: () => Promise<Result>): Promise<Result> {
  try {
    return await request();
  } catch (error) {
    if (error instanceof CliError) throw error;
    throw new CliError(
      "unreachable",
      `${target.origin} does not respond (${causeOf(error)}). Is it running?`,
    );
  }
}

/** Why a request has no response, in a word. */
export function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  if (cause instanceof Error) return "code" in cause ? String(cause.code) : cause.message;
  return error.name;
}

function toCliError(value: unknown, target: URL): CliError {
  const { error, trace_id } = (value ?? {}) as { error?: Failure; trace_id?: string };
  if (error?.code === undefined) return notTrunkline(target);
  const failure = { ...error, ...(trace_id !== undefined && { trace_id }) };
  return new CliError(DENIED.includes(error.code) ? "denied" : "failed", failure);
}

function notTrunkline(target: URL): CliError {
  return new CliError("failed", `${target.href} did not respond as Trunkline does. Check --url.`);
}

/** The value of a text; undefined if it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
