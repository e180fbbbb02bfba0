import "server-only";
import type { Context } from "@/lib/platform/context";
import type { Contract, Input, Output } from "@/lib/platform/contract";
import { drainSignal } from "@/lib/platform/instances/drain";
import type { Answer } from "@/lib/runtime/http/answer";
import { authenticateToken } from "@/lib/runtime/http/authenticate";
import { apiRoute, type Route, success } from "@/lib/runtime/http/endpoint";
import { acquireStreamSlot } from "@/lib/runtime/streams/acquire-stream-slot";

/** The time that a request wants to wait: `query.timeout`, or `body.wait_seconds`. */
function secondsOf(input: { query?: unknown; body?: unknown }): number {
  const { timeout } = (input.query ?? {}) as { timeout?: number };
  const { wait_seconds } = (input.body ?? {}) as { wait_seconds?: number };
  return timeout ?? wait_seconds ?? 0;
}

/**
 * Like `endpoint`, for an operation that waits for its result: up to `query.timeout` or `body.wait_seconds` seconds. A
 * waiting request counts as an open stream of the account, at most STREAMS_PER_ACCOUNT at a time. `signal` ends the wait
 * when the time is over, the client disconnects or this process shuts down; `gone` is aborted when the client has
 * disconnected. The request log stores what `logged` makes of a result that repeats content, which has its own retention.
 * Errors: rate_limited.
 */
export function waitingEndpoint<C extends Contract>(
  contract: C,
  run: (ctx: Context, input: Input<C>, signal: AbortSignal, gone: AbortSignal) => Promise<Output<C>>,
  logged?: (result: Output<C>) => unknown,
): Route {
  const succeed = (result: Output<C>, { traceId }: Context): Answer => ({
    ...success(contract, result, traceId),
    ...(logged !== undefined && { logged: { answer: JSON.stringify(logged(result)) } }),
  });
  return apiRoute(contract, authenticateToken, async ({ ctx, input, request }) => {
    const timeout = secondsOf(input);
    if (timeout === 0) {
      return succeed(await run(ctx, input, AbortSignal.abort(), request.signal), ctx);
    }

    const leave = acquireStreamSlot(ctx.account.id);
    try {
      const signal = AbortSignal.any([
        request.signal,
        drainSignal(),
        AbortSignal.timeout(Math.ceil(timeout * 1000)),
      ]);
      return succeed(await run(ctx, input, signal, request.signal), ctx);
    } finally {
      leave();
    }
  });
}
