import "server-only";
import { IncomingMessage, type OutgoingHttpHeaders, type ServerResponse } from "node:http";
import { BODY_LIMIT_BYTES } from "@/lib/platform/contract";
import { ApiError, type ErrorName } from "@/lib/platform/errors";
import { newTraceId } from "@/lib/platform/ids";
import { BODY_MS } from "@/lib/platform/read-body";
import { errorAnswer } from "@/lib/runtime/http/error-response";
import { answerError } from "@/lib/runtime/server/answer-error";
import { STRICT_TRANSPORT } from "@/lib/runtime/server/strict-transport";

type PageHandler = (request: IncomingMessage, response: ServerResponse) => unknown;

const ALLOW = "GET, HEAD, POST";

/**
 * Stands before Next. Bodies are read, bounded and checked first, so that Next never waits for one or fails on one. An
 * error page for a client that does not ask for HTML is replaced by the error envelope. Every answer has a trace id.
 */
export function guardPages(handler: PageHandler): PageHandler {
  return async (request, response) => {
    const traceId = newTraceId();
    response.setHeader("x-trace-id", traceId);
    try {
      checkTarget(request);
      const passed = hasBody(request.method) ? await withReadBody(request) : request;
      replaceErrorPages(request, response, traceId);
      await handler(passed, response);
    } catch (error) {
      if (response.headersSent) return void response.destroy();
      answerError(response, error instanceof ApiError ? error : new ApiError("internal"));
    }
  };
}

function checkTarget({ method = "GET", url = "/" }: IncomingMessage): void {
  const path = url.split("?", 1)[0] ?? "/";
  if (!isDecodable(path)) throw new ApiError("body_invalid", "the path is not valid percent-encoding");
  if (method !== "GET" && method !== "HEAD" && method !== "POST") {
    throw new ApiError("method_not_allowed", `${method}; use ${ALLOW}`, undefined, { allow: ALLOW });
  }
}

function isDecodable(path: string): boolean {
  try {
    return !decodeURIComponent(path).includes("\0");
  } catch {
    return false;
  }
}

function hasBody(method: string | undefined): boolean {
  return method === "POST";
}

async function withReadBody(request: IncomingMessage): Promise<IncomingMessage> {
  const { "content-type": type = "", "next-action": action } = request.headers;
  const isForm = /^multipart\/form-data/i.test(type);
  const isAuth = request.url?.startsWith("/api/auth/") === true;
  if (!isAuth && !isForm && action === undefined) {
    throw new ApiError("method_not_allowed", "POST; use GET, HEAD", undefined, { allow: "GET, HEAD" });
  }
  const body = await readIncoming(request);
  if (isForm && !(await isReadableForm(body, type))) {
    throw new ApiError("body_invalid", "the body is not multipart/form-data");
  }
  return replay(request, body);
}

async function isReadableForm(body: Buffer, type: string): Promise<boolean> {
  const form = new Response(new Uint8Array(body), { headers: { "content-type": type } });
  return form.formData().then(
    () => true,
    () => false,
  );
}

function readIncoming(request: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const timer = setTimeout(() => end(new ApiError("body_too_slow")), BODY_MS);
    function end(error?: ApiError): void {
      clearTimeout(timer);
      request.off("data", take);
      if (error === undefined) resolve(Buffer.concat(chunks));
      else reject(error);
    }
    function take(chunk: Buffer): void {
      size += chunk.byteLength;
      chunks.push(chunk);
      if (size > BODY_LIMIT_BYTES) {
        end(new ApiError("body_invalid", `the body is larger than ${BODY_LIMIT_BYTES} bytes`));
      }
    }
    request.on("data", take);
    request.once("end", () => end());
    request.once("error", () => end(new ApiError("body_invalid", "the body ended before it was whole")));
  });
}

/** The same request with its body still to be read. */
function replay(request: IncomingMessage, body: Buffer): IncomingMessage {
  const again = new IncomingMessage(request.socket);
  const { method, url, headers, rawHeaders, httpVersion, httpVersionMajor, httpVersionMinor } = request;
  Object.assign(again, { method, url, headers, rawHeaders, httpVersion, httpVersionMajor, httpVersionMinor });
  again.complete = true;
  again.push(body);
  again.push(null);
  return again;
}

// The dashboard's own navigation asks for pages without naming HTML.
function asksForPage({ headers }: IncomingMessage): boolean {
  return headers.accept?.includes("text/html") === true || headers.rsc !== undefined;
}

function nameOf(status: number): ErrorName | null {
  if (status >= 500) return "internal";
  const names: Record<number, ErrorName> = {
    400: "body_invalid",
    404: "route_unknown",
    405: "method_not_allowed",
  };
  return names[status] ?? null;
}

function replaceErrorPages(request: IncomingMessage, response: ServerResponse, traceId: string): void {
  const writeHead = response.writeHead.bind(response) as (
    status: number,
    ...rest: unknown[]
  ) => ServerResponse;
  const write = response.write.bind(response) as (...args: unknown[]) => boolean;
  const end = response.end.bind(response) as (...args: unknown[]) => ServerResponse;
  // Next answers a missing file in plain text, even to a browser.
  const replaced = asksForPage(request) ? /^text\/plain/ : /^text\/(html|plain)/;
  let replacement: string | null = null;

  response.writeHead = ((status: number, ...rest: unknown[]) => {
    const headers = rest.find((one) => typeof one === "object") as OutgoingHttpHeaders | undefined;
    const type = String(headers?.["content-type"] ?? response.getHeader("content-type") ?? "text/plain");
    const name = replaced.test(type) ? nameOf(status) : null;
    if (name === null) return writeHead(status, ...rest);
    const allow = response.getHeader("allow");
    const kept = allow === undefined ? undefined : { allow: String(allow) };
    const error = new ApiError(name, `${request.method} ${request.url}`, undefined, kept);
    const answer = errorAnswer(error, traceId);
    replacement = request.method === "HEAD" ? "" : (answer.text ?? "");
    for (const header of response.getHeaderNames()) {
      if (header !== STRICT_TRANSPORT[0]) response.removeHeader(header);
    }
    return writeHead(answer.status, answer.headers);
  }) as typeof response.writeHead;

  function isReplaced(): boolean {
    if (!response.headersSent) response.writeHead(response.statusCode);
    return replacement !== null;
  }

  response.write = ((...args: unknown[]) => isReplaced() || write(...args)) as typeof response.write;
  response.end = ((...args: unknown[]) =>
    isReplaced() ? end(replacement) : end(...args)) as typeof response.end;
}
