import { routes } from "@/.generated/route-table";
import { createApiRouter } from "@/lib/runtime/server/api-router";

const router = createApiRouter(routes);

export interface ApiAnswer {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests read arbitrary fields
  body: any;
}

export interface ApiCall {
  token?: string | null;
  /** Sent as JSON, or unchanged if it is a string. */
  body?: unknown;
  headers?: Record<string, string>;
}

/**
 * Calls the API in this process, through the same router and functions as the server: `callApi("GET /v3/chats", …)`.
 */
export async function callApi(
  what: `${string} ${string}`,
  { token, body, headers }: ApiCall = {},
): Promise<ApiAnswer> {
  const [method, path] = what.split(" ");
  const request = new Request(`http://trunkline.test${path}`, {
    method,
    headers: {
      ...(token == null ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  const response = await router.fetch(request);
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === "" ? null : JSON.parse(text) };
}
