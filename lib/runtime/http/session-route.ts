import "server-only";
import type { Context } from "@/lib/platform/context";
import { newTraceId } from "@/lib/platform/ids";
import type { Guarded } from "@/lib/platform/rights/right";
import { requireRight } from "@/lib/platform/rights/role-rights";
import { now } from "@/lib/platform/time/clock";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import type { RouteContext } from "@/lib/runtime/http/endpoint";
import { plainRoute } from "@/lib/runtime/http/plain-route";

type SessionRoute = ((request: Request, route: RouteContext) => Promise<Response>) & { contract: Guarded };

/**
 * Like `plainRoute`, for signed-in dashboard users with the right: a route without JSON, such as a file. `limitBytes`:
 * the largest body, by default a few short fields. Errors: unauthorized, access_denied.
 */
export function sessionRoute(
  guard: Guarded,
  run: (ctx: Context, request: Request, params: Record<string, string>) => Promise<Response>,
  limitBytes?: number,
): SessionRoute {
  const route = plainRoute(async (request, params) => {
    const caller = await authenticateSession(request);
    requireRight(caller, guard.right);
    return run({ ...caller, traceId: newTraceId(), now: now() }, request, params);
  }, limitBytes);
  return Object.assign(route, { contract: guard });
}
