import "server-only";
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import type { DatabaseScope } from "@/lib/platform/database/database-scope";
import { ApiError, type ErrorName } from "@/lib/platform/errors/errors";
import type { Answer } from "@/lib/runtime/http/answer";
import { errorAnswer } from "@/lib/runtime/http/error-response";
import { outagePage } from "@/lib/runtime/server/pages/outage-page";
import { STRICT_TRANSPORT } from "@/lib/runtime/server/strict-transport";

interface Guarded {
  request: IncomingMessage;
  response: ServerResponse;
  traceId: string;
  /** The state of the statements that ran for the request. */
  scope: DatabaseScope;
}

/**
 * Replaces Next's error responses: with a 503 page while the database is unavailable, and with the error envelope for
 * clients that don't accept HTML and for requests that are neither for a page nor for page data. The dashboard's
 * client-side navigation gets no page: the browser reloads the page on a failed data request and then shows the error
 * page.
 */
export function replaceErrorPages({ request, response, traceId, scope }: Guarded): void {
  const writeHead = response.writeHead.bind(response) as (
    status: number,
    ...rest: unknown[]
  ) => ServerResponse;
  const write = response.write.bind(response) as (...args: unknown[]) => boolean;
  const end = response.end.bind(response) as (...args: unknown[]) => ServerResponse;
  let replacement: string | null = null;

  response.writeHead = ((status: number, ...rest: unknown[]) => {
    const headers = rest.find((one) => typeof one === "object") as OutgoingHttpHeaders | undefined;
    const type = String(headers?.["content-type"] ?? response.getHeader("content-type") ?? "text/plain");
    const answer = replacementFor({ status, type });
    if (answer === null) return writeHead(status, ...rest);
    replacement = request.method === "HEAD" ? "" : (answer.text ?? "");
    for (const header of response.getHeaderNames()) {
      if (header !== STRICT_TRANSPORT[0]) response.removeHeader(header);
    }
    return writeHead(answer.status, answer.headers);
  }) as typeof response.writeHead;

  function replacementFor({ status, type }: { status: number; type: string }): Answer | null {
    if (scope.sawOutage && (status >= 500 || (isSignIn(request) && status >= 300))) {
      if (asksForHtml(request)) return outagePage(traceId);
      const detail = "the database is not responding: retry in 30 seconds";
      return errorAnswer(new ApiError("service_unavailable", detail), traceId);
    }
    const name = isReplaced(status, type) ? nameOf(status) : null;
    if (name === null) return null;
    const allow = response.getHeader("allow");
    const kept = allow === undefined ? undefined : { allow: String(allow) };
    return errorAnswer(new ApiError(name, `${request.method} ${request.url}`, undefined, kept), traceId);
  }

  // Next returns plain text for a missing file, even to browsers.
  function isReplaced(status: number, type: string): boolean {
    if (type.startsWith("text/html")) return !asksForHtml(request);
    if (type.startsWith("text/x-component")) return request.headers.rsc === undefined;
    return type.startsWith("text/plain") || status >= 500;
  }

  function replaces(): boolean {
    if (!response.headersSent) response.writeHead(response.statusCode);
    return replacement !== null;
  }

  response.write = ((...args: unknown[]) => replaces() || write(...args)) as typeof response.write;
  response.end = ((...args: unknown[]) =>
    replaces() ? end(replacement) : end(...args)) as typeof response.end;
}

// The auth library turns internal failures into a redirect or 401.
function isSignIn({ url = "/" }: IncomingMessage): boolean {
  return url.startsWith("/api/auth/");
}

function asksForHtml({ headers }: IncomingMessage): boolean {
  return headers.rsc === undefined && headers.accept?.includes("text/html") === true;
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
