import "server-only";
import { IncomingMessage, type ServerResponse } from "node:http";
import { BODY_LIMIT_BYTES } from "@/lib/platform/contract";
import { inScope, newScope } from "@/lib/platform/database-scope";
import { ApiError } from "@/lib/platform/errors";
import { newTraceId } from "@/lib/platform/ids";
import { readStream } from "@/lib/platform/read-body";
import { PAGE_PATH_HEADER, pagePath } from "@/lib/runtime/http/page-path";
import { answerError } from "@/lib/runtime/server/answer-error";
import { checkSignInRequest } from "@/lib/runtime/server/check-sign-in-request";
import { replaceErrorPages } from "@/lib/runtime/server/replace-error-pages";

type PageHandler = (request: IncomingMessage, response: ServerResponse) => unknown;

const READS = ["GET", "HEAD"];
const ALLOW = "GET, HEAD";
const EMPTY = Buffer.alloc(0);
const AUTH = "/api/auth/";
/** Pages that Next renders in place of others. Requested directly, they would return 500 or fail. */
const STAND_INS: ReadonlySet<string> = new Set(["/_global-error", "/_error", "/_app", "/_document", "/500"]);
const NOT_FOUND = "/_not-found";

/**
 * Handles requests before Next. Pages accept no POST requests: every change goes through an API route, so a server
 * action, which Next would decode before any of Trunkline's code runs, fails with 405/1003. Bodies of the sign-in are
 * read, limited and checked first. Error pages are replaced as in `replaceErrorPages`. Every response has a trace id.
 */
export function guardPages(handler: PageHandler): PageHandler {
  return async (request, response) => {
    const traceId = newTraceId();
    response.setHeader("x-trace-id", traceId);
    const scope = newScope();
    try {
      checkTarget(request);
      request.headers[PAGE_PATH_HEADER] = pagePath(request.url ?? "/");
      const isRead = READS.includes(request.method ?? "GET");
      const body = isRead ? EMPTY : await readIncoming(request);
      if (pathOf(request).startsWith(AUTH)) checkSignInRequest(request, body);
      const passed = isRead ? request : replay(request, body);
      if (STAND_INS.has(pathOf(passed))) passed.url = NOT_FOUND;
      replaceErrorPages({ request, response, traceId, scope });
      await inScope(scope, () => handler(passed, response));
    } catch (error) {
      if (response.headersSent) return void response.destroy();
      answerError(response, error instanceof ApiError ? error : new ApiError("internal"));
    }
  };
}

function pathOf({ url = "/" }: IncomingMessage): string {
  return url.split("?", 1)[0] ?? "/";
}

function checkTarget(request: IncomingMessage): void {
  const { method = "GET" } = request;
  const path = pathOf(request);
  if (!isDecodable(path)) throw new ApiError("body_invalid", "the path is not valid percent-encoding");
  if (READS.includes(method) || (method === "POST" && path.startsWith(AUTH))) return;
  const allow = path.startsWith(AUTH) ? `${ALLOW}, POST` : ALLOW;
  throw new ApiError("method_not_allowed", `${method}; use ${allow}`, undefined, { allow });
}

function isDecodable(path: string): boolean {
  try {
    return !decodeURIComponent(path).includes("\0");
  } catch {
    return false;
  }
}

function readIncoming(request: IncomingMessage): Promise<Buffer> {
  // Destroying the request would close the connection before the error is sent.
  const chunks = request.iterator({ destroyOnReturn: false });
  return readStream(chunks, { limitBytes: BODY_LIMIT_BYTES });
}

/** The same request with an unread body. */
function replay(request: IncomingMessage, body: Buffer): IncomingMessage {
  const again = new IncomingMessage(request.socket);
  const { method, url, headers, rawHeaders, httpVersion, httpVersionMajor, httpVersionMinor } = request;
  Object.assign(again, { method, url, headers, rawHeaders, httpVersion, httpVersionMajor, httpVersionMinor });
  again.complete = true;
  again.push(body);
  again.push(null);
  return again;
}
