import "server-only";
import { z } from "zod";
import { DeliveryState, isStopped } from "@/lib/events/store/delivery-state";
import { Parameters } from "@/lib/events/store/event-conditions";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { boundedSearch } from "@/lib/platform/lists/bounded-search";
import { exportOf } from "@/lib/platform/lists/export-of";
import { decodeCursor, limitParameter, toPage } from "@/lib/platform/lists/page";
import { countText, ListTotal, totalOf } from "@/lib/platform/lists/total-of";
import { commaList } from "@/lib/platform/text/comma-list";
import { maxUnits } from "@/lib/platform/text/max-units";
import {
  COUNTED_FROM,
  DELIVERY_VIEW_COLUMNS,
  DELIVERY_VIEW_FROM,
  DeliveryView,
  type DeliveryViewRow,
  toDeliveryView,
} from "@/lib/webhooks/deliveries/delivery-view";
import { findWebhookSubscription } from "@/lib/webhooks/subscriptions/find-webhook-subscription";

const TIMEOUT_MS = 3000;

const Moment = z.iso.datetime({ offset: true }).transform((text) => new Date(text));

export const ListDeliveryViews = contract({
  summary: "List the deliveries of a webhook subscription",
  tag: "Webhooks",
  right: "view_webhooks",
  params: z.object({ subscriptionId: z.uuid() }),
  query: z.object({
    status: commaList(DeliveryState),
    types: commaList(z.string()),
    /** Results of the last attempt: status codes, and reasons for a missing response ("500,timeout"). */
    response: commaList(
      z.string().regex(/^(\d{3}|[a-z_]{1,30})$/, "must be a status code or a failure reason"),
    ),
    /** Inclusive. */
    from: Moment.optional(),
    /** Exclusive. */
    to: Moment.optional(),
    chat_id: z.uuid().optional(),
    message_id: z.uuid().optional(),
    event_id: z.uuid().optional(),
    replay_id: z.uuid().optional(),
    cursor: z.string().check(maxUnits(200)).optional(),
    limit: limitParameter(200, 50),
  }),
  returns: z.object({
    deliveries: z.array(DeliveryView),
    next_cursor: z.string().nullable(),
    total: ListTotal,
  }),
  status: 200,
  errors: ["access_denied", "parameter_invalid", "subscription_not_found"],
});

type Query = Input<typeof ListDeliveryViews>["query"] & {
  /** Only deliveries that were attempted. */
  isAttempted?: boolean;
};

const CursorKey = z.tuple([z.iso.datetime(), z.uuid()]);

/**
 * The deliveries of a subscription and their status, newest first, keyset pages. Errors: subscription_not_found,
 * access_denied, parameter_invalid (also for a search that exceeds its time limit).
 */
export async function listDeliveryViews(
  ctx: Context,
  { params, query }: Pick<Input<typeof ListDeliveryViews>, "params"> & { query: Query },
): Promise<z.infer<typeof ListDeliveryViews.returns>> {
  const { id } = await findWebhookSubscription(ctx, params.subscriptionId);
  const parameters = new Parameters();
  const conditions = [
    `d.account_id = ${parameters.add(ctx.account.id)}`,
    `d.subscription_id = ${parameters.add(id)}`,
    ...conditionsOf(parameters, query),
  ];
  const matching = {
    text: `select from ${countedFrom(query)} where ${conditions.join(" and ")}`,
    values: [...parameters.values],
  };
  conditions.push(...cursorConditions(parameters, query.cursor));
  const text = `select ${DELIVERY_VIEW_COLUMNS} from ${DELIVERY_VIEW_FROM} where ${conditions.join(" and ")}
    order by d.created_at desc, d.id desc limit ${parameters.add(query.limit + 1)}`;
  const rows = await boundedSearch(ctx.account.id, TIMEOUT_MS, (tx) =>
    tx.runText<DeliveryViewRow>({ text, values: parameters.values }),
  );

  const page = toPage(rows, query.limit, (row) => [row.created_at.toISOString(), row.id]);
  const total = await totalOf(ctx, page, { cursor: query.cursor, count: countText(matching) });
  return {
    deliveries: page.items.map((row) => toDeliveryView(ctx, row)),
    next_cursor: page.nextCursor,
    total,
  };
}

// Each delivery has an event, so the join does not change a count. Without it, 10,000 deliveries are counted in an index.
function countedFrom({ response, types, chat_id, message_id, event_id, isAttempted }: Query): string {
  if (response.length > 0 || isAttempted === true) return DELIVERY_VIEW_FROM;
  const ofEvent = [chat_id, message_id, event_id].some((id) => id !== undefined) || types.length > 0;
  return ofEvent ? COUNTED_FROM : "webhook_deliveries d";
}

function conditionsOf(parameters: Parameters, query: Query): string[] {
  const { status, types, response, from, to, chat_id, message_id, event_id, replay_id } = query;
  const conditions: string[] = [];
  if (status.length > 0) conditions.push(`(${statusConditions(parameters, status).join(" or ")})`);
  if (types.length > 0) conditions.push(`e.type = any(${parameters.add(types)}::text[])`);
  if (response.length > 0) conditions.push(lastResponse(parameters, response));
  if (from !== undefined) conditions.push(`d.created_at >= ${parameters.add(from)}`);
  if (to !== undefined) conditions.push(`d.created_at < ${parameters.add(to)}`);
  if (chat_id !== undefined) conditions.push(`not e.internal and e.chat_id = ${parameters.add(chat_id)}`);
  if (message_id !== undefined) conditions.push(`e.message_id = ${parameters.add(message_id)}`);
  if (event_id !== undefined) conditions.push(`not e.internal and e.id = ${parameters.add(event_id)}`);
  if (replay_id !== undefined) conditions.push(`d.replay_id = ${parameters.add(replay_id)}`);
  // The first condition avoids reading the attempts of what was never started.
  if (query.isAttempted === true) conditions.push("d.attempts > 0", "a.number is not null");
  return conditions;
}

function statusConditions(parameters: Parameters, wanted: Query["status"]): string[] {
  const stored = wanted.filter((status) => status !== "stopped");
  const conditions: string[] = [];
  if (stored.length > 0)
    conditions.push(
      `(d.status = any(${parameters.add(stored)}::webhook_delivery_status[]) and not ${isStopped("d")})`,
    );
  if (wanted.includes("stopped")) conditions.push(isStopped("d"));
  return conditions;
}

// A delivery is `delivered` exactly when its last attempt succeeded, which avoids reading the attempts of most
// deliveries.
function lastResponse(parameters: Parameters, wanted: readonly string[]): string {
  const last = `coalesce(a.error, a.status_code::text) = any(${parameters.add(wanted)}::text[])`;
  const isSuccess = (response: string) => /^2\d\d$/.test(response);
  if (wanted.every(isSuccess)) return `d.status = 'delivered' and ${last}`;
  if (wanted.some(isSuccess)) return last;
  return `(d.status = 'failed' or d.run_at is not null or ${isStopped("d")}) and ${last}`;
}

function cursorConditions(parameters: Parameters, cursor: string | undefined): string[] {
  if (cursor === undefined) return [];
  const [createdAt, id] = decodeCursor(cursor, CursorKey);
  return [`(d.created_at, d.id) < (${parameters.add(createdAt)}::timestamptz, ${parameters.add(id)}::uuid)`];
}

/** The deliveries of a webhook subscription as CSV. */
export const exportDeliveries = exportOf(ListDeliveryViews, listDeliveryViews, {
  summary: "Export the deliveries of a webhook subscription as CSV",
  filename: ({ params }) => `deliveries-${params.subscriptionId}.csv`,
  pageRows: 1000,
  itemsOf: (page) => page.deliveries,
  columns: {
    delivery_id: ({ id }) => id,
    event_type: ({ event }) => event.type,
    event_id: ({ event }) => event.id,
    recipient: ({ event }) => event.recipient,
    subject: ({ event }) => event.subject,
    event_created_at: ({ event }) => event.created_at,
    sequence: ({ sequence }) => sequence,
    status: ({ status }) => status,
    attempts: ({ attempts }) => attempts,
    last_status_code: ({ last_attempt }) => last_attempt?.status_code,
    last_error: ({ last_attempt }) => last_attempt?.error,
    last_latency_ms: ({ last_attempt }) => last_attempt?.latency_ms,
    last_attempt_at: ({ last_attempt }) => last_attempt?.started_at,
    next_attempt_at: ({ next_attempt_at }) => next_attempt_at,
    stopped_at: ({ stopped_at }) => stopped_at,
    created_at: ({ created_at }) => created_at,
    ended_at: ({ ended_at }) => ended_at,
    line_id: ({ event }) => event.line_id,
    chat_id: ({ event }) => event.chat_id,
    message_id: ({ event }) => event.message_id,
    trace_id: ({ event }) => event.trace_id,
    replay_id: ({ replay_id }) => replay_id,
  },
});
