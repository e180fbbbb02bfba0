import "server-only";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { CSV_ROWS_MOST, type CsvRow, type CsvTable, csvPages } from "@/lib/platform/csv-table";
import { findWebhookSubscription } from "@/lib/webhooks/find-webhook-subscription";
import { ListDeliveries, listDeliveries } from "@/lib/webhooks/list-deliveries";
import type { ListedDelivery } from "@/lib/webhooks/listed-delivery";

const PAGE_ROWS = 1000;

const COLUMNS = [
  "delivery_id",
  "event_type",
  "event_id",
  "event_created_at",
  "sequence",
  "status",
  "attempts",
  "last_status_code",
  "last_error",
  "last_latency_ms",
  "last_attempt_at",
  "next_attempt_at",
  "created_at",
  "ended_at",
  "line_id",
  "chat_id",
  "message_id",
  "trace_id",
  "replay_id",
];

export const ExportDeliveries = contract({
  summary: "Export the deliveries of a webhook subscription as CSV",
  tag: "Webhooks",
  right: "view_webhooks",
  params: ListDeliveries.params,
  query: ListDeliveries.query.omit({ cursor: true, limit: true }),
  status: 200,
  errors: ["access_denied", "parameter_invalid", "subscription_not_found"],
});

/**
 * What `listDeliveries` finds as a table, newest first, the newest hundred thousand. Errors: subscription_not_found,
 * access_denied, parameter_invalid.
 */
export async function exportDeliveries(
  ctx: Context,
  { params, query }: Pick<Input<typeof ExportDeliveries>, "params" | "query">,
): Promise<CsvTable> {
  const { id } = await findWebhookSubscription(ctx, params.subscriptionId);
  const read = async (cursor: string | undefined) => {
    const page = await listDeliveries(ctx, { params, query: { ...query, cursor, limit: PAGE_ROWS } });
    return { items: page.deliveries, nextCursor: page.next_cursor };
  };
  return { filename: `deliveries-${id}.csv`, columns: COLUMNS, pages: csvPages(CSV_ROWS_MOST, read, toRow) };
}

function toRow({ event, last_attempt: last, ...delivery }: ListedDelivery): CsvRow {
  return {
    delivery_id: delivery.id,
    event_type: event.type,
    event_id: event.id,
    event_created_at: event.created_at,
    sequence: delivery.sequence,
    status: delivery.status,
    attempts: delivery.attempts,
    last_status_code: last?.status_code ?? null,
    last_error: last?.error ?? null,
    last_latency_ms: last?.latency_ms ?? null,
    last_attempt_at: last?.started_at ?? null,
    next_attempt_at: delivery.next_attempt_at,
    created_at: delivery.created_at,
    ended_at: delivery.ended_at,
    line_id: event.line_id,
    chat_id: event.chat_id,
    message_id: event.message_id,
    trace_id: event.trace_id,
    replay_id: delivery.replay_id,
  };
}
