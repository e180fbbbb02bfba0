import "server-only";
import { z } from "zod";
import { EventFilter } from "@/lib/events/event-filter";
import { authenticateSession } from "@/lib/http/authenticate-session";
import type { Route, RouteContext } from "@/lib/http/endpoint";
import { errorResponse } from "@/lib/http/error-response";
import { eventStream } from "@/lib/http/event-stream";
import { parseInput } from "@/lib/http/parse-input";
import { contract } from "@/lib/platform/contract";
import { drainSignal } from "@/lib/platform/drain";
import { newTraceId } from "@/lib/platform/ids";

const Position = z
  .string()
  .regex(/^\d{1,15}$/, "the number of an event")
  .transform(Number);

export const StreamEvents = contract({
  summary: "Follow the events of the account",
  tag: "Events",
  query: EventFilter.extend({ after: Position.optional() }),
  status: 200,
  errors: ["unauthorized", "access_denied", "parameter_invalid"],
});

const HEADERS = {
  "content-type": "text/event-stream; charset=utf-8",
  // Whatever stands between must pass each event on at once: no gzip, no buffer of nginx.
  "cache-control": "no-cache, no-transform",
  "x-accel-buffering": "no",
};

/** The live log as a route of the dashboard. Last-Event-ID, which browsers send when they come back, beats `?after=`. */
async function streamEvents(request: Request, { params }: RouteContext): Promise<Response> {
  const traceId = newTraceId();
  try {
    const { account } = await authenticateSession(request);
    const { query } = await parseInput(StreamEvents, request, await params);
    const last = Position.safeParse(request.headers.get("last-event-id"));
    const stream = eventStream({
      accountId: account.id,
      filter: query,
      after: last.success ? last.data : (query.after ?? null),
      signal: AbortSignal.any([request.signal, drainSignal()]),
      mayGoOn: () => stillIn(request, account.id),
    });
    return new Response(stream, { headers: { ...HEADERS, "x-trace-id": traceId } });
  } catch (error) {
    return errorResponse(error, traceId);
  }
}

export const eventStreamRoute: Route = Object.assign(streamEvents, { contract: StreamEvents });

async function stillIn(request: Request, accountId: string): Promise<boolean> {
  const caller = await authenticateSession(request).catch(() => null);
  return caller?.account.id === accountId;
}
