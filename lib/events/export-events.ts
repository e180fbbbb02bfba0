import "server-only";
import { SearchEvents, searchEvents } from "@/lib/events/search-events";
import { exportOf } from "@/lib/platform/export-of";

/** The events of an account as CSV. */
export const exportEvents = exportOf(SearchEvents, searchEvents, {
  summary: "Export the events of the account as CSV",
  filename: "events.csv",
  pageRows: 1000,
  itemsOf: (page) => page.events,
  columns: {
    seq: ({ seq }) => seq,
    event_id: ({ id }) => id,
    type: ({ type }) => type,
    created_at: ({ created_at }) => created_at,
    line_id: ({ line_id }) => line_id,
    chat_id: ({ chat_id }) => chat_id,
    message_id: ({ message_id }) => message_id,
    trace_id: ({ trace_id }) => trace_id,
    handle: ({ handle }) => handle,
    summary: ({ summary }) => summary,
    deliveries_delivered: ({ deliveries }) => deliveries.delivered,
    deliveries_waiting: ({ deliveries }) => deliveries.waiting,
    deliveries_failed: ({ deliveries }) => deliveries.failed,
    deliveries_skipped: ({ deliveries }) => deliveries.skipped,
  },
});
