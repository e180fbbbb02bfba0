/** Failures that the simulator or a line's settings cause on purpose. Every other 5xx is a defect of the server. */
const INTENDED = new Set([2022, 4002, 4004, 4009, 4010]);

/** Parses the bytes of a connection as an HTTP/1.1 response. Returns null if they are not one. */
export function parseAnswer(bytes) {
  const text = bytes.toString("latin1").replace(/^(HTTP\/1\.1 1\d\d [^\r]*\r\n(?:[^\r\n]+\r\n)*\r\n)+/, "");
  const [, status, headerText, body] =
    /^HTTP\/1\.1 (\d{3}) [^\r]*\r\n([\s\S]*?)\r\n\r\n([\s\S]*)$/.exec(text) ?? [];
  if (status === undefined) return null;
  const headers = new Map(
    headerText.split("\r\n").map((line) => {
      const [name, ...value] = line.split(":");
      return [name.toLowerCase(), value.join(":").trim()];
    }),
  );
  const isChunked = headers.get("transfer-encoding") === "chunked";
  return { status: Number(status), headers, body: isChunked ? joinChunks(body) : body };
}

/** Returns the defect of a response, or null for a success, a page, or a failure in the error envelope. */
export function faultOf(request, bytes) {
  const answer = parseAnswer(bytes);
  if (answer === null) return "no answer";
  const { status, headers, body } = answer;
  const traceId = headers.get("x-trace-id") ?? "";
  if (!/^[0-9a-f]{32}$/.test(traceId)) return `${status} without a trace id`;
  if (status < 400) return null;
  if (request.startsWith("HEAD ")) return status >= 500 ? String(status) : null;
  const type = headers.get("content-type") ?? "";
  // The dashboard's client-side navigation requests this type instead of a page.
  if (type.startsWith("text/x-component") && /^rsc:/im.test(request))
    return status < 500 ? null : `${status} as data`;
  // next-auth responds in its own JSON format.
  if (/^\S+ \/api\/auth\//.test(request) && status === 401 && parseJson(body)?.url !== undefined) return null;
  if (type.startsWith("text/html")) return status < 500 && body.length > 0 ? null : `${status} as a page`;
  const failure = parseJson(body);
  // MCP responds with errors of JSON-RPC.
  if (/^\S+ \/mcp[ ?]/.test(request) && failure?.jsonrpc === "2.0" && failure.error?.code !== undefined)
    return status < 500 ? null : `${status} in JSON-RPC`;
  if (Array.isArray(failure?.errors)) return status < 500 ? null : `${status} in V2's shape`;
  if (failure?.success !== false || failure.error?.status !== status) return `${status} without envelope`;
  if (failure.trace_id !== traceId) return `${status} with two trace ids`;
  return status >= 500 && !INTENDED.has(failure.error.code) ? `${status}/${failure.error.code}` : null;
}

function joinChunks(body) {
  let rest = body;
  let joined = "";
  for (;;) {
    const [line, size] = /^([\da-f]+)[^\r]*\r\n/i.exec(rest) ?? [];
    if (size === undefined || Number.parseInt(size, 16) === 0) return joined;
    const end = line.length + Number.parseInt(size, 16);
    joined += rest.slice(line.length, end);
    rest = rest.slice(end + 2);
  }
}

function parseJson(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
