/**
 * Sends a request, such as `POST /v3/chats`, with a token or with other headers. Returns the status, the headers and the
 * parsed body, null if there is none.
 *
 * @param {{ baseUrl: string, token?: string, headers?: Record<string, string> }} target
 * @param {string} operation
 * @param {unknown} [body]
 * @param {{ signal?: AbortSignal }} [options]
 * @returns {Promise<{ status: number, headers: Headers, body: any }>}
 */
export async function sendRequest({ baseUrl, token, headers }, operation, body, { signal } = {}) {
  const [method, url] = operation.split(" ");
  const response = await fetch(new URL(url, baseUrl), {
    method,
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...headers,
      "content-type": "application/json",
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal !== undefined && { signal }),
  });
  const text = await response.text();
  const { status, headers: answered } = response;
  const isJson = answered.get("content-type")?.includes("json") === true;
  return { status, headers: answered, body: text === "" ? null : isJson ? JSON.parse(text) : text };
}

/**
 * Like `sendRequest`. Returns the body, and throws unless the status is 2xx.
 *
 * @param {{ baseUrl: string, token?: string, headers?: Record<string, string> }} target
 * @param {string} operation
 * @param {unknown} [body]
 * @returns {Promise<any>}
 */
export async function callInstance(target, operation, body) {
  const answer = await sendRequest(target, operation, body);
  if (answer.status >= 200 && answer.status < 300) return answer.body;
  throw new Error(`${operation} responded ${answer.status}: ${JSON.stringify(answer.body)}`);
}
