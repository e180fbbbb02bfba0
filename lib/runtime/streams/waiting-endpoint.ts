import "server-only";
import type { Context } from "@/lib/platform/context";
import type { Contract, Input, Output } from "@/lib/platform/contract";
import { drainSignal } from "@/lib/platform/instances/drain";
import { authenticateToken } from "@/lib/runtime/http/authenticate";
import { apiRoute, type Route, success } from "@/lib/runtime/http/endpoint";
import { acquireStreamSlot } from "@/lib/runtime/streams/acquire-stream-slot";

/** The contract of an operation that may wait: its query has `timeout`, in seconds. */
type WaitingContract = Contract & { query: NonNullable<Contract["query"]> };

/**
 * Like `endpoint`, for an operation that waits up to `query.timeout` seconds for its result. A waiting request counts as
 * an open stream of the account, at most STREAMS_PER_ACCOUNT at a time. `signal` ends the wait when the time is over,
 * the client disconnects or this process shuts down. Errors: rate_limited.
 */
export function waitingEndpoint<C extends WaitingContract>(
  contract: C,
  run: (ctx: Context, input: Input<C>, signal: AbortSignal) => Promise<Output<C>>,
): Route {
  return apiRoute(contract, authenticateToken, async ({ ctx, input, request }) => {
    const { timeout } = input.query as { timeout: number };
    if (timeout === 0) return success(contract, await run(ctx, input, AbortSignal.abort()), ctx.traceId);

    const leave = acquireStreamSlot(ctx.account.id);
    try {
      const signal = AbortSignal.any([
        request.signal,
        drainSignal(),
        AbortSignal.timeout(Math.ceil(timeout * 1000)),
      ]);
      return success(contract, await run(ctx, input, signal), ctx.traceId);
    } finally {
      leave();
    }
  });
}
