import "server-only";
import { z } from "zod";
import { EVENT_TYPES } from "@/lib/events/catalog/event-types";
import type { Context } from "@/lib/platform/context";
import { fail } from "@/lib/platform/errors/errors";
import { mcpTool } from "@/lib/runtime/mcp/mcp-tool";
import type { DeliveryView } from "@/lib/webhooks/deliveries/delivery-view";
import { explainOutcome } from "@/lib/webhooks/deliveries/explain-attempt";
import { ListDeliveryViews, listDeliveryViews } from "@/lib/webhooks/deliveries/list-delivery-views";
import {
  ListWebhookSubscriptionViews,
  listWebhookSubscriptionViews,
} from "@/lib/webhooks/endpoints/list-webhook-subscription-views";
import { ReplayDeliveries, replayDeliveries } from "@/lib/webhooks/replays/replay-deliveries";
import { replayDelivery } from "@/lib/webhooks/replays/replay-delivery";

const DAY_MS = 86_400_000;

const listFailingDeliveries = mcpTool({
  name: "list_failing_deliveries",
  title: "List failing webhook deliveries",
  description:
    "Lists the webhook endpoints of the account with their state and, for each, its latest deliveries that failed, are being retried, or are stopped: event, status code or connection error, the explanation, and the time of the next attempt. A stopped delivery permanently failed, and the later events of its chat wait until someone retries or skips it. Endpoints without failures have an empty list.",
  operation: ListWebhookSubscriptionViews,
  method: "GET",
  input: z.object({
    subscription_id: z.uuid().optional().describe("Only this webhook subscription."),
    limit: z.int().min(1).max(50).default(10).describe("Number of deliveries per endpoint."),
  }),
  async run(ctx, { subscription_id, limit }) {
    const { endpoints } = await listWebhookSubscriptionViews(ctx);
    const wanted = endpoints.filter(({ id }) => subscription_id === undefined || id === subscription_id);
    if (subscription_id !== undefined && wanted.length === 0) fail("subscription_not_found");
    const listed = [];
    for (const { id, target_url, state, failing_since, disabled_reason, last_24_hours } of wanted) {
      const { succeeded, failed } = last_24_hours;
      listed.push({
        subscription_id: id,
        target_url,
        state,
        failing_since,
        disabled_reason,
        attempts_of_last_24_hours: { succeeded, failed },
        failing_deliveries: await failingDeliveries(ctx, id, limit),
      });
    }
    return { endpoints: listed };
  },
});

async function failingDeliveries(ctx: Context, subscriptionId: string, limit: number) {
  const query = ListDeliveryViews.query.parse({ status: "failed,stopped,waiting", limit: String(limit) });
  const params = { subscriptionId };
  const { deliveries } = await listDeliveryViews(ctx, { params, query: { ...query, isAttempted: true } });
  return deliveries.map(toFailing);
}

function toFailing({ id, event, status, attempts, next_attempt_at, last_attempt }: DeliveryView) {
  const outcome = last_attempt?.error ?? String(last_attempt?.status_code);
  return {
    delivery_id: id,
    event: { id: event.id, type: event.type, created_at: event.created_at, trace_id: event.trace_id },
    status: status === "waiting" ? "retrying" : status,
    attempts,
    status_code: last_attempt?.status_code ?? null,
    error: last_attempt?.error ?? null,
    explanation: explainOutcome(outcome),
    next_attempt_at,
  };
}

const replayWebhooks = mcpTool({
  name: "replay_deliveries",
  title: "Replay webhook deliveries",
  description:
    "Delivers events to a webhook endpoint again, with the same event ID and the header X-Webhook-Replay: one delivery by its ID, or every event that the endpoint did not receive since a time. Only your own endpoint receives something: no message is sent. Call it after the endpoint works again.",
  operation: ReplayDeliveries,
  method: "POST",
  input: z.object({
    delivery_id: z.uuid().optional().describe("ID of one delivery. Set either this or subscription_id."),
    subscription_id: z.uuid().optional().describe("ID of the webhook subscription."),
    since: z.iso
      .datetime({ offset: true })
      .optional()
      .describe("Only events from this time on. Defaults to the last 24 hours."),
    types: z.array(z.enum(EVENT_TYPES)).max(100).default([]).describe("Only events of these types."),
  }),
  async run(ctx, { delivery_id, subscription_id, since, types }) {
    if ((delivery_id === undefined) === (subscription_id === undefined)) {
      fail("parameter_invalid", "set delivery_id or subscription_id, not both");
    }
    if (delivery_id !== undefined) return replayDelivery(ctx, { params: { deliveryId: delivery_id } });
    const from = since ?? new Date(ctx.now.getTime() - DAY_MS).toISOString();
    const filter = { statuses: ["failed", "skipped"], types, from };
    const body = ReplayDeliveries.body.parse({ filter });
    return replayDeliveries(ctx, {
      params: { subscriptionId: subscription_id ?? "" },
      query: undefined,
      body,
    });
  },
});

/** Tools for webhook deliveries. */
export const WEBHOOK_TOOLS = [listFailingDeliveries, replayWebhooks];
