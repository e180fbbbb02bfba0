import "server-only";
import { exportOf } from "@/lib/platform/export-of";
import { ListDeliveries, listDeliveries } from "@/lib/webhooks/list-deliveries";

/** The deliveries of a webhook subscription as CSV. */
export const exportDeliveries = exportOf(ListDeliveries, listDeliveries, {
  summary: "Export the deliveries of a webhook subscription as CSV",
  filename: ({ params }) => `deliveries-${params.subscriptionId}.csv`,
  pageRows: 1000,
  itemsOf: (page) => page.deliveries,
  columns: {
    delivery_id: ({ id }) => id,
    event_type: ({ event }) => event.type,
    event_id: ({ event }) => event.id,
    event_created_at: ({ event }) => event.created_at,
    sequence: ({ sequence }) => sequence,
    status: ({ status }) => status,
    attempts: ({ attempts }) => attempts,
    last_status_code: ({ last_attempt }) => last_attempt?.status_code,
    last_error: ({ last_attempt }) => last_attempt?.error,
    last_latency_ms: ({ last_attempt }) => last_attempt?.latency_ms,
    last_attempt_at: ({ last_attempt }) => last_attempt?.started_at,
    next_attempt_at: ({ next_attempt_at }) => next_attempt_at,
    created_at: ({ created_at }) => created_at,
    ended_at: ({ ended_at }) => ended_at,
    line_id: ({ event }) => event.line_id,
    chat_id: ({ event }) => event.chat_id,
    message_id: ({ event }) => event.message_id,
    trace_id: ({ event }) => event.trace_id,
    replay_id: ({ replay_id }) => replay_id,
  },
});
