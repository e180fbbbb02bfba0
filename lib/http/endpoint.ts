import "server-only";
import { authenticateToken, type Caller } from "@/lib/http/authenticate";
import { errorResponse } from "@/lib/http/error-response";
import { type Finished, observe } from "@/lib/http/observe";
import { parseInput } from "@/lib/http/parse-input";
import { now } from "@/lib/platform/clock";
import type { Context } from "@/lib/platform/context";
import type { Contract, Input, Output } from "@/lib/platform/contract";
import { newTraceId } from "@/lib/platform/ids";

/** What Next, and server.ts in its place, hand to a route: the path's parameters, still encoded or decoded by them. */
export interface RouteContext {
  params: Promise<Record<string, string>>;
}

export interface Route {
  (request: Request, route: RouteContext): Promise<Response>;
  contract: Contract;
}

type Authenticate = (request: Request) => Promise<Caller>;

// biome-ignore lint/style/noProcessEnv: the build replaces it, so production carries no check of its own answers
const CHECK_ANSWERS = process.env.NODE_ENV !== "production";

/**
 * One operation of the API as a route: trace id, who, parse, run, answer. Every failure leaves as the error envelope
 * with X-Trace-ID. The order of checks is part of the contract (architecture.md).
 */
export function endpoint<C extends Contract>(
  contract: C,
  run: (ctx: Context, input: Input<C>) => Promise<Output<C>>,
  authenticate: Authenticate = authenticateToken,
): Route {
  const route = async (request: Request, { params }: RouteContext): Promise<Response> => {
    const finished: Finished = { contract, request, traceId: newTraceId(), startedAt: performance.now() };
    const response = await answer(finished, params);
    observe(finished, response);
    return response;
  };

  async function answer(finished: Finished, params: RouteContext["params"]): Promise<Response> {
    const { request, traceId } = finished;
    try {
      const caller = await authenticate(request);
      const ctx: Context = { ...caller, traceId, now: now() };
      finished.caller = caller;
      const input = await parseInput(contract, request, await params);
      return success(contract, await run(ctx, input), traceId);
    } catch (error) {
      return errorResponse(error, traceId);
    }
  }

  return Object.assign(route, { contract });
}

function success(contract: Contract, result: unknown, traceId: string): Response {
  const headers = { "content-type": "application/json", "x-trace-id": traceId };
  if (contract.returns === undefined) {
    return new Response(null, { status: contract.status, headers: { "x-trace-id": traceId } });
  }
  const body = CHECK_ANSWERS ? contract.returns.parse(result) : result;
  return new Response(JSON.stringify(body), { status: contract.status, headers });
}
