import { requestSnippets, SAMPLE_URL } from "@/lib/docs/reference/request-snippets";

/** A request that the explorer has sent, with the status and the trace of its response. */
export interface ExplorerCall {
  id: number;
  method: string;
  /** The path with its query. */
  path: string;
  body: unknown;
  status: number;
  durationMs: number;
  traceId: string | null;
}

let calls = 0;

/** Sends a request with the token of the explorer and describes it. */
export async function sendCall(
  request: Request,
  token: string,
): Promise<{ response: Response; call: ExplorerCall }> {
  const text = await request.clone().text();
  const { pathname, search } = new URL(request.url);
  const headers = new Headers(request.headers);
  headers.set("authorization", `Bearer ${token}`);
  const startedMs = performance.now();
  const response = await fetch(new Request(request, { headers, credentials: "omit" }));
  const call = {
    id: ++calls,
    method: request.method,
    path: `${pathname}${search}`,
    body: parseBody(text),
    status: response.status,
    durationMs: performance.now() - startedMs,
    traceId: response.headers.get("x-trace-id"),
  };
  return { response, call };
}

/** The call as code, with the URL of this instance and without the token. */
export function codeOf({ method, path, body }: ExplorerCall, language: "curl" | "typescript"): string {
  return requestSnippets({ method, path, body })[language].replaceAll(SAMPLE_URL, location.origin);
}

function parseBody(text: string): unknown {
  try {
    return text === "" ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}
