import "server-only";
import { inScope, newScope } from "@/lib/platform/database/database-scope";
import { type BodyLimit, FORM_LIMIT_BYTES, requireWithin } from "@/lib/platform/http/read-body";
import { newTraceId } from "@/lib/platform/ids";
import type { RouteContext } from "@/lib/runtime/http/endpoint";
import { errorResponse } from "@/lib/runtime/http/error-response";
import { explainOutage } from "@/lib/runtime/http/explain-outage";

export type PlainRoute = ((request: Request, route: RouteContext) => Promise<Response>) & BodyLimit;

/**
 * A route without a token or JSON, such as a file URL. Every response has a trace id, and failures use the error
 * envelope. `run` reads the body with `limit`: by default, a few short fields. A body that says to be larger is rejected
 * before `run`.
 */
export function plainRoute(
  run: (request: Request, params: Record<string, string>, limit: BodyLimit) => Promise<Response>,
  limitBytes: number = FORM_LIMIT_BYTES,
): PlainRoute {
  const route = (request: Request, { params }: RouteContext) =>
    inScope(newScope(), async () => {
      const traceId = newTraceId();
      try {
        requireWithin(request, { limitBytes });
        const response = await run(request, await params, { limitBytes });
        response.headers.set("x-trace-id", traceId);
        return response;
      } catch (error) {
        return errorResponse(explainOutage(error, { request, traceId }), traceId);
      }
    });
  return Object.assign(route, { limitBytes });
}
