import "server-only";
import { EventPosition } from "@/lib/events/tail/event-position";
import type { Context } from "@/lib/platform/context";
import type { Contract, Input } from "@/lib/platform/contract";
import { drainSignal } from "@/lib/platform/instances/drain";
import { apiRoute, type Route } from "@/lib/runtime/http/endpoint";
import { type EventStreamOptions, eventStream } from "@/lib/runtime/streams/event-stream";
import type { StreamGuard } from "@/lib/runtime/streams/stream-guard";
import { tokenStreamGuard } from "@/lib/runtime/streams/token-stream-guard";

const HEADERS = {
  "content-type": "text/event-stream; charset=utf-8",
  // Proxies must forward each event immediately: no gzip, no nginx buffer.
  "cache-control": "no-cache, no-transform",
  "x-accel-buffering": "no",
};

type Story = Pick<EventStreamOptions, "after" | "tell" | "heartbeatMs" | "tellsHeartbeats">;

/**
 * Like `endpoint`, for an operation that streams server-sent events: the same checks, errors and trace id, then a
 * response that ends when the client disconnects, the guard ends it, or this process shuts down. Last-Event-ID, which
 * reconnecting clients send, takes precedence over the operation's start.
 */
export function streamEndpoint<C extends Contract>(
  contract: C,
  run: (ctx: Context, input: Input<C>) => Promise<Story>,
  guard: StreamGuard = tokenStreamGuard,
): Route {
  return apiRoute(contract, guard.authenticate, async ({ ctx, input, request }) => {
    const story = await run(ctx, input);
    const last = EventPosition.safeParse(request.headers.get("last-event-id"));
    const over = new AbortController();
    const leave = guard.admit(request, ctx, (why) => over.abort(why));
    const stream = eventStream(
      {
        ...story,
        ...(last.success && { after: last.data }),
        accountId: ctx.account.id,
        traceId: ctx.traceId,
        signal: AbortSignal.any([request.signal, drainSignal(), over.signal]),
      },
      leave,
    );
    return {
      status: contract.status,
      headers: { ...HEADERS, "x-trace-id": ctx.traceId },
      text: null,
      stream,
    };
  });
}
