import "server-only";
import { z } from "zod";
import { EVENT_TYPES } from "@/lib/events/catalog/event-types";
import type { Prisma } from "@/lib/platform/prisma/client";
import { maxUnits } from "@/lib/platform/text/max-units";
import { PhoneNumber } from "@/lib/platform/text/phone-handle";
import { SubscriptionLadder } from "@/lib/platform/time/retry-ladder";
import { orderingInput, orderingOutput, toOrdering } from "@/lib/webhooks/subscriptions/ordering-settings";
import { TurnSettings, TurnSettingsInput, toTurnSettings } from "@/lib/webhooks/subscriptions/turn-settings";
import { RoutingHeader } from "@/lib/webhooks/targets/routing-header";

const MAX_TARGET = 2048;
const MAX_REPLAY_RATE = 1000;

const EventType = z.enum(EVENT_TYPES, {
  error: ({ input }) =>
    `unknown event ${JSON.stringify(input)}: use a name that GET /v3/webhook-events lists`,
});

/** The path parameters of a webhook subscription. */
export const SubscriptionParams = z.object({
  subscriptionId: z.uuid().meta({
    description: "ID of the webhook subscription.",
    examples: ["019ca9c2-4c0b-7ce2-9b21-d6e7f8091a23"],
  }),
});

/** A webhook subscription (docs/contract.md, section 12.1). */
export const WebhookSubscription = z
  .object({
    id: z.uuid().describe("ID of the webhook subscription."),
    target_url: z.string().describe("URL that events are posted to."),
    subscribed_events: z.array(z.string()).describe("Event types that are delivered."),
    phone_numbers: z
      .array(z.string())
      .nullable()
      .describe(
        "Lines whose events are delivered; `null` for all lines. Events without a line are always delivered.",
      ),
    is_active: z.boolean().describe("`true` if events are delivered; `false` if deliveries are paused."),
    routing_key_header: z
      .string()
      .nullable()
      .describe(
        "Name of the header that carries a chat's routing token, taken from your earlier responses; `null` if delivery affinity is off.",
      ),
    routing_id_header: z
      .string()
      .nullable()
      .describe(
        "Name of the header that carries the chat ID, sent together with the routing token; `null` for `Linq-Chat-Id`.",
      ),
    retry_seconds: z
      .array(z.int())
      .optional()
      .describe(
        "Seconds between the attempts of a delivery. Absent for the schedule of the instance. A Trunkline extension.",
      ),
    auto_replay_per_second: z
      .int()
      .optional()
      .describe(
        "Events per second of the replay that starts when the endpoint answers again after an outage. Absent if no replay starts. A Trunkline extension.",
      ),
    turns: TurnSettings.optional().describe(
      "When a turn of `chat.turn` closes. Absent for the defaults. A Trunkline extension.",
    ),
    ...orderingOutput,
    created_at: z.iso.datetime().describe("When the subscription was created."),
    updated_at: z.iso.datetime().describe("When the subscription last changed."),
  })
  .meta({
    id: "WebhookSubscription",
    description: "A subscription that delivers events to a URL.",
    examples: [
      {
        id: "019ca9c2-4c0b-7ce2-9b21-d6e7f8091a23",
        target_url: "https://example.com/webhooks/trunkline",
        subscribed_events: ["message.received", "message.delivered", "message.failed"],
        phone_numbers: null,
        is_active: true,
        routing_key_header: null,
        routing_id_header: null,
        created_at: "2026-03-01T12:00:00.000Z",
        updated_at: "2026-03-01T12:00:00.000Z",
      },
    ],
  });

export type WebhookSubscription = z.infer<typeof WebhookSubscription>;

/** The fields of a subscription: all of them at creation, any of them in an update. */
export const subscriptionFields = {
  target_url: z
    .string()
    .min(1)
    .check(maxUnits(MAX_TARGET))
    .describe(
      "HTTPS URL that events are posted to. Sandbox accounts may also use HTTP to hosts that the instance allows.",
    ),
  subscribed_events: z
    .array(EventType)
    .min(1)
    .transform(distinct)
    .describe("Event types to deliver, at least one. `GET /v3/webhook-events` lists them."),
  phone_numbers: z
    .array(PhoneNumber)
    .nullable()
    .transform((numbers) => distinct(numbers ?? []))
    .describe(
      "Lines whose events are delivered, in E.164 format. Omit, or send `null` or an empty list, for all lines.",
    ),
  routing_key_header: RoutingHeader.describe(
    "Name of the header that carries a chat's routing token, taken from your earlier responses. Turns on delivery affinity; `null` turns it off.",
  ),
  routing_id_header: RoutingHeader.describe(
    "Name of the header that carries the chat ID, sent together with the routing token. Defaults to `Linq-Chat-Id`.",
  ),
  retry_seconds: SubscriptionLadder.nullable()
    .transform((ladder) => ladder ?? [])
    .describe(
      "Seconds from each failed attempt of a delivery to the next: 1 to 50 waits with a sum of at most three days. `null` or omitted for the schedule of the instance. A Trunkline extension.",
    ),
  turns: TurnSettingsInput,
  ...orderingInput,
  auto_replay_per_second: z
    .int()
    .min(1)
    .max(MAX_REPLAY_RATE)
    .nullable()
    .describe(
      `Replays events that were skipped, or that failed although they were retried, when the endpoint answers again: oldest first, at most this many per second, 1 to ${MAX_REPLAY_RATE}. \`null\` or omitted for no such replay. A Trunkline extension.`,
    ),
};

export const subscriptionSelect = {
  id: true,
  name: true,
  targetUrl: true,
  subscribedEvents: true,
  phoneNumbers: true,
  isActive: true,
  version: true,
  routingKeyHeader: true,
  routingIdHeader: true,
  retrySeconds: true,
  autoReplayPerSecond: true,
  turnQuietMs: true,
  turnMaxMs: true,
  turnGroups: true,
  orderByChat: true,
  stopExhausted: true,
  createdAt: true,
  updatedAt: true,
} satisfies Prisma.WebhookSubscriptionSelect;

export type SubscriptionRow = Prisma.WebhookSubscriptionGetPayload<{ select: typeof subscriptionSelect }>;

/** Like `subscriptionSelect`, for raw SQL. */
export const SUBSCRIPTION_COLUMNS = `id, name, target_url as "targetUrl", subscribed_events as "subscribedEvents",
  phone_numbers as "phoneNumbers", is_active as "isActive", version, routing_key_header as "routingKeyHeader",
  routing_id_header as "routingIdHeader", retry_seconds as "retrySeconds",
  auto_replay_per_second as "autoReplayPerSecond", turn_quiet_ms as "turnQuietMs", turn_max_ms as "turnMaxMs",
  turn_groups as "turnGroups", order_by_chat as "orderByChat", stop_exhausted as "stopExhausted",
  created_at as "createdAt", updated_at as "updatedAt"`;

export function toWebhookSubscription(row: SubscriptionRow): WebhookSubscription {
  const turns = toTurnSettings(row);
  return {
    id: row.id,
    target_url: row.targetUrl,
    subscribed_events: row.subscribedEvents,
    phone_numbers: row.phoneNumbers.length === 0 ? null : row.phoneNumbers,
    is_active: row.isActive,
    routing_key_header: row.routingKeyHeader,
    routing_id_header: row.routingIdHeader,
    ...(row.retrySeconds.length > 0 && { retry_seconds: row.retrySeconds }),
    ...(row.autoReplayPerSecond !== null && { auto_replay_per_second: row.autoReplayPerSecond }),
    ...(turns !== null && { turns }),
    ...toOrdering(row),
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  };
}

function distinct<Item>(items: readonly Item[]): Item[] {
  return [...new Set(items)];
}
