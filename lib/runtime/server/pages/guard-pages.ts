import "server-only";
import { IncomingMessage, type ServerResponse } from "node:http";
import { inAttemptSlot } from "@/lib/identity/sign-in/attempt-slots";
import { inScope, newScope } from "@/lib/platform/database/database-scope";
import { dashboardUrl } from "@/lib/platform/env";
import { ApiError } from "@/lib/platform/errors/errors";
import { readStream } from "@/lib/platform/http/read-body";
import { newTraceId } from "@/lib/platform/ids";
import { errorAnswer } from "@/lib/runtime/http/error-response";
import { PAGE_PATH_HEADER, pagePath } from "@/lib/runtime/http/page-path";
import { answerError } from "@/lib/runtime/server/answer-error";
import {
  checkSignInAction,
  checkSignInRequest,
  isSignInAttempt,
  SIGN_IN_LIMIT_BYTES,
} from "@/lib/runtime/server/pages/check-sign-in-request";
import { replaceErrorPages } from "@/lib/runtime/server/pages/replace-error-pages";
import { writeAnswer } from "@/lib/runtime/server/write-answer";

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
      // Before the attempt has a slot: a client that sends its body slowly must not hold one.
      const body = READS.includes(request.method ?? "GET") ? null : await readIncoming(request);
      if (isSignInAttempt(request)) await inAttemptSlot(() => passOn(body));
      else await passOn(body);
    } catch (error) {
      if (response.headersSent) return void response.destroy();
      const shown = error instanceof ApiError ? error : new ApiError("internal");
      if (isSignInAttempt(request) && shown.errorName === "rate_limited") return answerBusy(response, shown);
      answerError(response, shown);
    }

    async function passOn(body: Buffer | null): Promise<void> {
      // The client left while the attempt waited for its slot.
      if (response.destroyed) return;
      if (pathOf(request).startsWith(AUTH)) checkSignInRequest(request, body ?? EMPTY);
      const passed = body === null ? request : replay(request, body);
      if (STAND_INS.has(pathOf(passed))) passed.url = NOT_FOUND;
      replaceErrorPages({ request, response, traceId, scope });
      await inScope(scope, () => handler(passed, response));
    }
  };
}

/** The sign-in page's library reads its errors from the query of `url`. */
function answerBusy(response: ServerResponse, error: ApiError): void {
  const answer = errorAnswer(error, newTraceId());
  const url = `${dashboardUrl()}/sign-in?error=busy`;
  writeAnswer(response, { ...answer, text: JSON.stringify({ ...JSON.parse(answer.text ?? "{}"), url }) });
}

function pathOf({ url = "/" }: IncomingMessage): string {
  return url.split("?", 1)[0] ?? "/";
}

function checkTarget(request: IncomingMessage): void {
  const { method = "GET" } = request;
  const path = pathOf(request);
  if (!isDecodable(path)) throw new ApiError("body_invalid", "the path is not valid percent-encoding");
  if (path.startsWith(AUTH)) checkSignInAction(method, path);
  else if (!READS.includes(method)) {
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

function readIncoming(request: IncomingMessage): Promise<Buffer> {
  // Destroying the request would close the connection before the error is sent.
  const chunks = request.iterator({ destroyOnReturn: false });
  return readStream(chunks, { limitBytes: SIGN_IN_LIMIT_BYTES });
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
