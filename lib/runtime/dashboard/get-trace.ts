import "server-only";
import { z } from "zod";
import { DeliveryState } from "@/lib/events/store/delivery-state";
import { DeliveryStatus } from "@/lib/messaging/messages/message";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { fail } from "@/lib/platform/errors/errors";
import {
  findTracedMessage,
  listTracedEvents,
  listTracedRequests,
  listWebhookAttempts,
  type TracedMessage,
} from "@/lib/runtime/dashboard/rows/trace-rows";

const TRACE_ID = /^[0-9a-f]{32}$/;

/** One moment in the life of a message or a request, in the order of time. */
const TraceStep = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("request"),
    at: z.iso.datetime(),
    request_id: z.uuid(),
    method: z.string(),
    path: z.string(),
    status: z.int(),
    latency_ms: z.number(),
  }),
  z.object({
    type: z.literal("event"),
    at: z.iso.datetime(),
    event_id: z.uuid(),
    event_type: z.string(),
    /** Internal events are not in the event log. */
    internal: z.boolean(),
    message_id: z.uuid().nullable(),
  }),
  z.object({
    /** The transport was asked to send the message; `at` = its last response. */
    type: z.literal("transport"),
    at: z.iso.datetime(),
    attempts: z.int(),
    service: z.string().nullable(),
    failure: z.object({ code: z.int(), reason: z.string().nullable() }).nullable(),
  }),
  z.object({
    type: z.literal("webhook"),
    at: z.iso.datetime(),
    event_type: z.string(),
    subscription_id: z.uuid(),
    delivery_id: z.uuid(),
    target_url: z.string(),
    /** null for a delivery that waits for its first attempt or was skipped. */
    number: z.int().nullable(),
    status_code: z.int().nullable(),
    error: z.string().nullable(),
    latency_ms: z.number().nullable(),
    delivery_status: DeliveryState,
    /** Whether this attempt stopped the chat, which is still stopped. */
    stopped_chat: z.boolean(),
  }),
]);

export type TraceStep = z.infer<typeof TraceStep>;

export const Trace = z.object({
  trace_id: z.string(),
  message: z
    .object({
      id: z.uuid(),
      chat_id: z.uuid(),
      is_from_me: z.boolean(),
      delivery_status: DeliveryStatus,
      /** When the next attempt to send the message is due. */
      due_at: z.iso.datetime().nullable(),
    })
    .nullable(),
  /** Oldest first. */
  steps: z.array(TraceStep),
  /** Whether there are more events or attempts than a page shows. */
  is_truncated: z.boolean(),
});

export type Trace = z.infer<typeof Trace>;

export const GetTrace = contract({
  summary: "Get the life of a message or a request",
  tag: "Events",
  right: "view_events",
  params: z.object({ traceId: z.union([z.uuid(), z.string().regex(TRACE_ID)]) }),
  returns: Trace,
  status: 200,
  errors: ["name_unknown", "parameter_invalid"],
});

/**
 * Returns the whole life of a message (by its id) or of a request (by its trace id): requests, events, the transport and
 * every webhook attempt. Takes four statements at most, each bounded. Errors: name_unknown for an unknown id, also that
 * of another account.
 */
export async function getTrace(
  ctx: Context,
  { params }: Pick<Input<typeof GetTrace>, "params">,
): Promise<Trace> {
  const message = await findTracedMessage(ctx, params.traceId);
  const traceId = message?.trace_id ?? params.traceId;
  const [requests, events] = await Promise.all([
    listTracedRequests(ctx, traceId),
    listTracedEvents(ctx, traceId, message?.id ?? null),
  ]);
  if (message === null && requests.rows.length === 0 && events.rows.length === 0) {
    fail("name_unknown", "the account has no message or request with this ID");
  }
  const webhooks = await listWebhookAttempts(ctx, events.rows);

  const steps: TraceStep[] = [
    ...requests.rows.map(toRequestStep),
    ...events.rows.map(({ id, type, internal, message_id, created_at }) => ({
      type: "event" as const,
      at: created_at.toISOString(),
      event_id: id,
      event_type: type,
      internal,
      message_id,
    })),
    ...toTransportSteps(message),
    ...webhooks.rows.map(({ at, ...row }) => ({ type: "webhook" as const, at: at.toISOString(), ...row })),
  ];
  steps.sort(inOrder);
  return {
    trace_id: traceId,
    message: message && toShownMessage(message),
    steps,
    is_truncated: [requests, events, webhooks].some(({ hasMore }) => hasMore),
  };
}

type RequestRow = Awaited<ReturnType<typeof listTracedRequests>>["rows"][number];

// The log has the time of the response. A request begins before all that it causes.
function toRequestStep({ id, created_at, ...row }: RequestRow): TraceStep {
  const at = new Date(created_at.getTime() - row.latency_ms).toISOString();
  return { type: "request", at, request_id: id, ...row };
}

/** The order of steps with the same time: causes before effects. */
const RANKS = { request: 0, transport: 1, event: 2, webhook: 3 } as const satisfies Record<
  TraceStep["type"],
  number
>;

function inOrder(one: TraceStep, other: TraceStep): number {
  return Date.parse(one.at) - Date.parse(other.at) || RANKS[one.type] - RANKS[other.type];
}

// A message that was received, or not yet passed to the transport, has no step of the transport.
function toTransportSteps(message: TracedMessage | null): TraceStep[] {
  if (message === null || !message.is_from_me || message.dispatch_attempts === 0) return [];
  const { sent_at, failed_at, updated_at, dispatch_attempts, service, failure_code, failure_reason } =
    message;
  return [
    {
      type: "transport",
      at: (sent_at ?? failed_at ?? updated_at).toISOString(),
      attempts: dispatch_attempts,
      service,
      failure: failure_code === null ? null : { code: failure_code, reason: failure_reason },
    },
  ];
}

function toShownMessage(message: TracedMessage): NonNullable<Trace["message"]> {
  const { id, chat_id, is_from_me, delivery_status, dispatch_at } = message;
  return { id, chat_id, is_from_me, delivery_status, due_at: dispatch_at?.toISOString() ?? null };
}
