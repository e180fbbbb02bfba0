import "server-only";
import { inScope, newScope } from "@/lib/platform/database-scope";
import { newTraceId } from "@/lib/platform/ids";
import type { RouteContext } from "@/lib/runtime/http/endpoint";
import { errorResponse } from "@/lib/runtime/http/error-response";
import { explainOutage } from "@/lib/runtime/http/explain-outage";

type PlainRoute = (request: Request, route: RouteContext) => Promise<Response>;

/**
 * A route without a token or JSON, such as a file URL. Every response has a trace id, and failures use the error
 * envelope.
 */
export function plainRoute(
  run: (request: Request, params: Record<string, string>) => Promise<Response>,
): PlainRoute {
  return (request, { params }) =>
    inScope(newScope(), async () => {
      const traceId = newTraceId();
      try {
        const response = await run(request, await params);
        response.headers.set("x-trace-id", traceId);
        return response;
      } catch (error) {
        return errorResponse(explainOutage(error, { request, traceId }), traceId);
      }
    });
}
