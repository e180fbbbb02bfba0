import "server-only";
import { z } from "zod";
import { boundedSearch } from "@/lib/events/bounded-search";
import { Parameters } from "@/lib/events/event-conditions";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { env } from "@/lib/platform/env";
import { fail } from "@/lib/platform/errors";
import { maxUnits } from "@/lib/platform/max-units";
import { decodeCursor, limitParameter, toPage } from "@/lib/platform/page";
import { findWebhookSubscription } from "@/lib/webhooks/find-webhook-subscription";

const TIMEOUT_MS = 3000;

const Status = z.enum(["success", "failed", "retrying"]);

/** How a delivery's last attempt ended, as the vendor's command line prints it. */
const WebhookLog = z.object({
  event_id: z.uuid(),
  webhook_event_type: z.string(),
  subscription_id: z.uuid(),
  target_url: z.string(),
  status: Status,
  /** null when no answer came: then error_type says why. */
  http_status_code: z.int().nullable(),
  duration_ms: z.int(),
  /** When the attempt began. */
  timestamp: z.iso.datetime(),
  attempt: z.int(),
  max_attempts: z.int(),
  error_type: z.string().nullable(),
  error_message: z.string().nullable(),
  trace_id: z.string(),
});

export const ListWebhookLogs = contract({
  summary: "List what became of the account's webhooks",
  tag: "Webhooks",
  query: z.object({
    partner_id: z.uuid().optional(),
    /** Taken from profiles that carry one; the token decides the account. */
    org_id: z.string().check(maxUnits(200)).optional(),
    subscription_id: z.uuid().optional(),
    status: Status.optional(),
    event_type: z.string().check(maxUnits(100)).optional(),
    cursor: z.string().check(maxUnits(200)).optional(),
    per_page: limitParameter(100, 20),
  }),
  returns: z.object({
    webhook_logs: z.array(WebhookLog),
    pagination: z.object({
      has_more: z.boolean(),
      next_cursor: z.string().nullable(),
      per_page: z.int(),
    }),
  }),
  status: 200,
  errors: ["access_denied", "parameter_invalid", "subscription_not_found"],
  extension: true,
});

interface Row {
  id: string;
  event_seq: string;
  event_id: string;
  type: string;
  subscription_id: string;
  target_url: string;
  status: "waiting" | "delivered" | "failed";
  started_at: Date;
  latency_ms: number;
  status_code: number | null;
  error: string | null;
  number: number;
  trace_id: string;
}

const STORED_STATUS = { success: "delivered", failed: "failed", retrying: "waiting" } as const;
const SHOWN_STATUS = { delivered: "success", failed: "failed", waiting: "retrying" } as const;

const CursorKey = z.tuple([z.string().regex(/^\d{1,18}$/), z.uuid()]);

/**
 * The deliveries of the account that were tried, with how the last attempt ended: newest event first, keyset pages
 * (contract.md 0, for the vendor's command line). Errors: access_denied for another partner or its subscription,
 * subscription_not_found, parameter_invalid (also for a search that takes too long).
 */
export async function listWebhookLogs(
  ctx: Context,
  { query }: Pick<Input<typeof ListWebhookLogs>, "query">,
): Promise<z.infer<typeof ListWebhookLogs.returns>> {
  if (query.partner_id !== undefined && query.partner_id !== ctx.account.partnerId) fail("access_denied");
  if (query.subscription_id !== undefined) await findWebhookSubscription(ctx, query.subscription_id);
  const parameters = new Parameters();
  const conditions = conditionsOf(ctx, parameters, query);
  // By the index of an account's deliveries in the order of its events.
  const text = `select d.id, d.event_seq, e.id as event_id, e.type, d.subscription_id, s.target_url,
      d.status::text as status, a.started_at, a.latency_ms, a.status_code, a.error, a.number, e.trace_id
    from webhook_deliveries d
    join events e on e.account_id = d.account_id and e.seq = d.event_seq
    join webhook_subscriptions s on s.account_id = d.account_id and s.id = d.subscription_id
    join lateral (
      select started_at, latency_ms, status_code, error, number from webhook_attempts
      where account_id = d.account_id and delivery_id = d.id order by number desc limit 1) a on true
    where ${conditions.join(" and ")}
    order by d.event_seq desc, d.id desc limit ${parameters.add(query.per_page + 1)}`;
  const rows = await boundedSearch(ctx.account.id, TIMEOUT_MS, (tx) =>
    tx.query<Row>({ text, values: parameters.values }),
  );

  const { items, nextCursor } = toPage(rows, query.per_page, (row) => [row.event_seq, row.id]);
  return {
    webhook_logs: items.map(toLog),
    pagination: { has_more: nextCursor !== null, next_cursor: nextCursor, per_page: query.per_page },
  };
}

function conditionsOf(
  ctx: Context,
  parameters: Parameters,
  { subscription_id, status, event_type, cursor }: Input<typeof ListWebhookLogs>["query"],
): string[] {
  const conditions = [`d.account_id = ${parameters.add(ctx.account.id)}`, "d.status <> 'skipped'"];
  if (subscription_id !== undefined)
    conditions.push(`d.subscription_id = ${parameters.add(subscription_id)}`);
  if (status !== undefined) {
    conditions.push(`d.status = ${parameters.add(STORED_STATUS[status])}::webhook_delivery_status`);
  }
  if (event_type !== undefined) conditions.push(`e.type = ${parameters.add(event_type)}`);
  if (cursor !== undefined) {
    const [seq, id] = decodeCursor(cursor, CursorKey);
    conditions.push(`(d.event_seq, d.id) < (${parameters.add(seq)}::bigint, ${parameters.add(id)}::uuid)`);
  }
  return conditions;
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
    max_attempts: 1 + env().WEBHOOK_RETRY_SECONDS.length,
    ...(status === "success" ? { error_type: null, error_message: null } : errorOf(row)),
    trace_id: row.trace_id,
  };
}

function errorOf({ status_code, error }: Row): { error_type: string | null; error_message: string | null } {
  if (error !== null) return { error_type: error, error_message: `No answer: ${error.replaceAll("_", " ")}` };
  return { error_type: "http_error", error_message: `The endpoint returned status ${status_code}` };
}
