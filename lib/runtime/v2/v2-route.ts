import "server-only";
import { requireScope } from "@/lib/identity/tokens/require-scope";
import type { Context } from "@/lib/platform/context";
import { inScope, newScope } from "@/lib/platform/database/database-scope";
import { newRootTraceId } from "@/lib/platform/ids";
import { requireRight } from "@/lib/platform/rights/role-rights";
import { now } from "@/lib/platform/time/clock";
import { type Answer, toResponse } from "@/lib/runtime/http/answer";
import { callerOf } from "@/lib/runtime/http/authenticate";
import type { RouteContext } from "@/lib/runtime/http/endpoint";
import { explainOutage } from "@/lib/runtime/http/explain-outage";
import { type Finished, observe } from "@/lib/runtime/http/observe";
import { v2ErrorOf } from "@/lib/runtime/v2/v2-error";

const TOKEN_HEADER = "x-service-integration-token";
/** The name of this header in public programs (docs/contract.md, section 1.5). */
const TOKEN_HEADER_ALIAS = "x-linq-integration-token";

interface V2Answer {
  status: number;
  body: unknown;
}

/**
 * Wraps a V2 operation as a route: the same tokens in V2's own header, responses without a contract, and errors in the
 * V2 format (docs/contract.md, section 16.1).
 */
export function v2Route(run: (ctx: Context, params: Record<string, string>) => Promise<V2Answer>) {
  return async (request: Request, { params }: RouteContext): Promise<Response> => {
    const finished: Finished = { request, traceId: newRootTraceId(), startedAt: performance.now() };
    const { status, headers, text } = await inScope(newScope(), () => answerTo(finished, params));
    const shared = { "content-type": "application/json", "x-trace-id": finished.traceId };
    const answer: Answer = { status, headers: { ...shared, ...headers }, text };
    observe(finished, answer);
    return toResponse(answer);
  };

  async function answerTo(finished: Finished, pathParams: RouteContext["params"]): Promise<Answer> {
    const { request, traceId } = finished;
    try {
      const caller = await callerOf(
        request.headers.get(TOKEN_HEADER) ?? request.headers.get(TOKEN_HEADER_ALIAS),
        "send the header X-SERVICE-INTEGRATION-TOKEN: <token>",
        (known) => {
          finished.caller = known;
        },
      );
      requireScope(caller, { tag: "V2" }, request.method);
      requireRight(caller, "send_messages");
      finished.params = await pathParams;
      const { status, body } = await run({ ...caller, traceId, now: now() }, finished.params);
      return { status, headers: {}, text: JSON.stringify(body) };
    } catch (error) {
      return v2ErrorOf(explainOutage(error, { request, traceId }), traceId);
    }
  }
}
