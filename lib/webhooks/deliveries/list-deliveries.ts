import "server-only";
import { z } from "zod";
import { isStopped } from "@/lib/events/store/delivery-state";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { plannedStatement, type RowOf } from "@/lib/platform/database/statement";
import { env } from "@/lib/platform/env";
import { fail } from "@/lib/platform/errors/errors";
import { boundedSearch } from "@/lib/platform/lists/bounded-search";
import { decodeCursor, limitParameter, toPage } from "@/lib/platform/lists/page";
import { maxUnits } from "@/lib/platform/text/max-units";
import { findWebhookSubscription } from "@/lib/webhooks/subscriptions/find-webhook-subscription";

const TIMEOUT_MS = 3000;

const Status = z.enum(["success", "failed", "retrying"]);

/** The result of a delivery's last attempt, as the vendor's command line prints it. */
const WebhookLog = z
  .object({
    event_id: z.uuid().describe("ID of the event."),
    webhook_event_type: z.string().describe("Type of the event."),
    subscription_id: z.uuid().describe("ID of the webhook subscription."),
    target_url: z.string().describe("URL that the delivery was sent to."),
    status: Status.describe(
      "Status of the delivery. `retrying` while another attempt is scheduled. `failed` also for a delivery that stopped its chat.",
    ),
    http_status_code: z
      .int()
      .nullable()
      .describe("HTTP status code of the endpoint's response; `null` if there was no response."),
    duration_ms: z.int().describe("Duration of the attempt in milliseconds."),
    timestamp: z.iso.datetime().describe("When the attempt started."),
    attempt: z.int().describe("Number of the attempt, starting at 1."),
    max_attempts: z.int().describe("Maximum number of attempts."),
    error_type: z.string().nullable().describe("Type of the failure; `null` on success."),
    error_message: z.string().nullable().describe("Description of the failure; `null` on success."),
    trace_id: z.string().describe("Trace ID of the event."),
  })
  .meta({
    description: "The latest attempt of a delivery.",
    examples: [
      {
        event_id: "019ca9c2-9c40-7f86-9a55-70b162930415",
        webhook_event_type: "message.delivered",
        subscription_id: "019ca9c2-4c0b-7ce2-9b21-d6e7f8091a23",
        target_url: "https://example.com/webhooks/trunkline",
        status: "success",
        http_status_code: 200,
        duration_ms: 84,
        timestamp: "2026-03-01T12:00:03.000Z",
        attempt: 1,
        max_attempts: 11,
        error_type: null,
        error_message: null,
        trace_id: "4bf92f3577b34da6a3ce929d0e0e4736",
      },
    ],
  });

export const ListDeliveries = contract({
  summary: "List webhook deliveries with their results",
  description:
    "Returns the latest attempt of each webhook delivery of the account, newest first. Serves the log command of command line tools. A Trunkline extension.",
  tag: "Webhooks",
  query: z.object({
    partner_id: z
      .uuid()
      .optional()
      .describe("ID of the partner that the token belongs to. Other IDs fail with 2005."),
    org_id: z.string().check(maxUnits(200)).optional().describe("Ignored. The account of the token applies."),
    subscription_id: z.uuid().optional().describe("Only deliveries of this subscription."),
    status: Status.optional().describe("Only deliveries with this status."),
    event_type: z.string().check(maxUnits(100)).optional().describe("Only deliveries of this event type."),
    cursor: z
      .string()
      .check(maxUnits(200))
      .optional()
      .describe("The `next_cursor` of the previous page. Omit for the first page."),
    per_page: limitParameter(100, 20),
  }),
  returns: z.object({
    webhook_logs: z.array(WebhookLog).describe("One page of deliveries."),
    pagination: z
      .object({
        has_more: z.boolean().describe("`true` if there are more deliveries after this page."),
        next_cursor: z.string().nullable().describe("Cursor of the next page; `null` on the last page."),
        per_page: z.int().describe("Number of items per page."),
      })
      .meta({
        description: "Position of the next page.",
        examples: [{ has_more: false, next_cursor: null, per_page: 20 }],
      }),
  }),
  status: 200,
  errors: ["access_denied", "parameter_invalid", "subscription_not_found"],
  extension: true,
});

// A page of the deliveries that meet a condition, newest first.
const pageOf = (status: string, condition: string) => `(
    select d.id, d.event_seq, e.id as event_id, e.type, d.subscription_id, s.target_url,
      cardinality(s.retry_seconds) as retries, ${status} as status, a.started_at, a.latency_ms, a.status_code, a.error,
      a.number, e.trace_id
    from webhook_deliveries d
    join events e on e.account_id = d.account_id and e.seq = d.event_seq
    join webhook_subscriptions s on s.account_id = d.account_id and s.id = d.subscription_id
    join lateral (
      select started_at, latency_ms, status_code, error, number from webhook_attempts
      where account_id = d.account_id and event_seq = d.event_seq and delivery_id = d.id order by number desc limit 1) a on true
    where d.account_id = :accountId and ${condition}
      and (:subscriptionId::uuid is null or d.subscription_id = :subscriptionId)
      and (:eventType::text is null or e.type = :eventType)
      and (:lastSeq::bigint is null or (d.event_seq, d.id) < (:lastSeq, :lastId))
    order by d.event_seq desc, d.id desc limit :limit)`;

// A delivery that stopped its chat has permanently failed. Each part reads an index in the order of the log: that of the
// account's deliveries, or of failed ones when only these are wanted, and that of stopped ones.
const LIST_DELIVERIES = plannedStatement(
  "list-deliveries",
  `select id as "id!", event_seq as "event_seq!", event_id as "event_id!", type as "type!",
    subscription_id as "subscription_id!", target_url as "target_url!", retries as "retries!",
    status as "status!: 'waiting' | 'delivered' | 'failed'", started_at as "started_at!", latency_ms as "latency_ms!",
    status_code, error, number as "number!", trace_id as "trace_id!"
  from (
    ${pageOf(
      "d.status",
      `d.status <> 'skipped' and not ${isStopped("d")}
      and (:status::webhook_delivery_status is null or d.status = :status)`,
    )}
    union all
    ${pageOf("'failed'", `coalesce(:status, 'failed') = 'failed' and ${isStopped("d")}`)}) page
  order by event_seq desc, id desc limit :limit`,
);

type Row = RowOf<"list-deliveries">;

const STORED_STATUS = { success: "delivered", failed: "failed", retrying: "waiting" } as const;
const SHOWN_STATUS = { delivered: "success", failed: "failed", waiting: "retrying" } as const;

const CursorKey = z.tuple([z.string().regex(/^\d{1,18}$/), z.uuid()]);

/**
 * The account's deliveries with at least one attempt and the result of the last one: newest event first, keyset pages
 * (docs/contract.md, section 16.2). Errors: access_denied for another partner or its subscription,
 * subscription_not_found, parameter_invalid (also for a search that exceeds its time limit).
 */
export async function listDeliveries(
  ctx: Context,
  { query }: Pick<Input<typeof ListDeliveries>, "query">,
): Promise<z.infer<typeof ListDeliveries.returns>> {
  if (query.partner_id !== undefined && query.partner_id !== ctx.account.partnerId) fail("access_denied");
  if (query.subscription_id !== undefined) await findWebhookSubscription(ctx, query.subscription_id);
  const accountId = ctx.account.id;
  const { subscription_id: subscriptionId, status, event_type: eventType, cursor, per_page: perPage } = query;
  const [lastSeq, lastId] = cursor === undefined ? [] : decodeCursor(cursor, CursorKey);
  const rows = await boundedSearch(accountId, TIMEOUT_MS, (tx) =>
    tx.run(LIST_DELIVERIES, {
      accountId,
      subscriptionId,
      status: status && STORED_STATUS[status],
      eventType,
      lastSeq,
      lastId,
      limit: perPage + 1,
    }),
  );

  const { items, nextCursor } = toPage(rows, perPage, (row) => [row.event_seq, row.id]);
  return {
    webhook_logs: items.map(toLog),
    pagination: { has_more: nextCursor !== null, next_cursor: nextCursor, per_page: perPage },
  };
}

function toLog(row: Row): z.infer<typeof WebhookLog> {
  const status = SHOWN_STATUS[row.status];
  return {
    event_id: row.event_id,
    webhook_event_type: row.type,
    subscription_id: row.subscription_id,
    target_url: row.target_url,
    status,
    http_status_code: row.status_code,
    duration_ms: Math.round(row.latency_ms),
    timestamp: row.started_at.toISOString(),
    attempt: row.number,
    max_attempts: 1 + (row.retries || env().WEBHOOK_RETRY_SECONDS.length),
    ...(status === "success" ? { error_type: null, error_message: null } : errorOf(row)),
    trace_id: row.trace_id,
  };
}

function errorOf({ status_code, error }: Row): { error_type: string | null; error_message: string | null } {
  if (error !== null)
    return { error_type: error, error_message: `No response: ${error.replaceAll("_", " ")}` };
  return { error_type: "http_error", error_message: `The endpoint returned status ${status_code}` };
}
