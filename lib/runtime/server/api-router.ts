import "server-only";
import { Hono } from "hono";
import { env } from "@/lib/platform/env";
import { ApiError } from "@/lib/platform/errors/errors";
import { newTraceId } from "@/lib/platform/ids";
import type { RouteContext } from "@/lib/runtime/http/endpoint";
import { errorResponse } from "@/lib/runtime/http/error-response";
import { rejectRequest } from "@/lib/runtime/http/reject-request";
import { AreaRouter } from "@/lib/runtime/server/area-router";
import { v2Error } from "@/lib/runtime/v2/v2-error";

type Handler = (request: Request, route: RouteContext) => Promise<Response>;

/** An app/**\/route.ts file that is served before Next. */
export interface ApiRoute {
  path: string;
  methods: Readonly<Record<string, unknown>>;
}

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;
const ALIAS = "/api/partner/v3";
const ANSWERED_BEFORE_NEXT =
  /^\/(v3|v2|v1|partner-id|mcp|relay|pay|\.well-known\/apple[\w-]*|simulator|inbound|uploads|vcards|vault|wallet|attachments\/partners|api(?!\/auth(\/|$)))(\/|$)/;

/** Maps a request's path to the API's path (the alias /api/partner/v3 is /v3). null = Next handles the path. */
export function apiPath(pathname: string): string | null {
  const path =
    pathname === ALIAS || pathname.startsWith(`${ALIAS}/`) ? pathname.slice(ALIAS.length - 3) : pathname;
  return ANSWERED_BEFORE_NEXT.test(path) ? path : null;
}

export interface ApiRouter {
  fetch(request: Request): Response | Promise<Response>;
  /** Whether a route file handles this method and path. In development, Next then runs the route, with fresh code. */
  knows(method: string, path: string): boolean;
}

/**
 * Routes API requests to the same functions that Next would call. Unknown paths and wrong methods get the error
 * envelope: 404/1003, and 405/1003 with Allow (docs/contract.md, section 1.1).
 */
export function createApiRouter(routes: readonly ApiRoute[]): ApiRouter {
  const getPath = (request: Request) => apiPath(pathOf(request.url)) ?? "/";
  const hono = new Hono({ getPath, router: new AreaRouter() });
  const known = new Hono({ router: new AreaRouter() });
  // The first matching route responds: a static name takes precedence over a parameter, as in Next.
  for (const { path, methods } of routes.filter(isServed).toSorted(byPlaceholders)) {
    const allowed = METHODS.filter((method) => typeof methods[method] === "function");
    for (const method of allowed) {
      const handler = methods[method] as Handler;
      hono.on(method, path, (context) =>
        handler(context.req.raw, { params: Promise.resolve(context.req.param()) }),
      );
      known.on(method, path, (context) => context.body(null));
    }
    hono.all(path, (context) =>
      isV2(path) ? v2NotFound(context.req.path) : methodNotAllowed(context.req.raw, allowed),
    );
  }
  hono.onError((error) => errorResponse(error, newTraceId()));
  hono.notFound((context) => notFound(context.req.raw, context.req.path));
  return {
    fetch: (request) => hono.fetch(request),
    knows: (method, path) => known.router.match(method, apiPath(path) ?? "/")[0].length > 0,
  };
}

// With SIMULATOR=off, nothing of the simulator exists.
function isServed({ path }: ApiRoute): boolean {
  return env().SIMULATOR || !path.startsWith("/simulator/");
}

function byPlaceholders(left: ApiRoute, right: ApiRoute): number {
  const [first, second] = [placeholders(left.path), placeholders(right.path)];
  if (first === second) return 0;
  return first < second ? -1 : 1;
}

/** Classifies each segment of a route's path: 0 = static name, 1 = parameter, 2 = catch-all. */
function placeholders(path: string): string {
  const ranks = path
    .split("/")
    .map((segment) => (segment.startsWith(":") ? (segment.endsWith("}") ? 2 : 1) : 0));
  return ranks.join("");
}

function methodNotAllowed(request: Request, allowed: readonly string[]): Response {
  const allow = allowed.join(", ");
  return rejectRequest(
    request,
    new ApiError("method_not_allowed", `${request.method}; use ${allow}`, undefined, { allow }),
  );
}

function notFound(request: Request, path: string): Response {
  if (isV2(path)) return v2NotFound(path);
  return rejectRequest(request, new ApiError("route_unknown", `${request.method} ${path}`));
}

function isV2(path: string): boolean {
  return path === "/v2" || path.startsWith("/v2/");
}

function v2NotFound(path: string): Response {
  const { status, text } = v2Error(404, `No such endpoint: ${path}`);
  const headers = { "content-type": "application/json", "x-trace-id": newTraceId() };
  return new Response(text, { status, headers });
}

function pathOf(url: string): string {
  const start = url.indexOf("/", url.indexOf("//") + 2);
  const end = url.search(/[?#]/);
  return end === -1 ? url.slice(start) : url.slice(start, end);
}
