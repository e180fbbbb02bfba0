import "server-only";
import { z } from "zod";
import { EVENT_TYPES } from "@/lib/events/catalog";
import { maxUnits } from "@/lib/platform/max-units";
import { PhoneNumber } from "@/lib/platform/phone-handle";
import type { Prisma } from "@/lib/platform/prisma/client";
import { RoutingHeader } from "@/lib/webhooks/routing-header";

const TARGET_MOST = 2048;

const EventType = z.enum(EVENT_TYPES, {
  error: ({ input }) =>
    `unknown event ${JSON.stringify(input)}: use a name that GET /v3/webhook-events lists`,
});

/** A webhook subscription (contract.md 5). */
export const WebhookSubscription = z
  .object({
    id: z.uuid(),
    target_url: z.string(),
    subscribed_events: z.array(z.string()),
    /** Only events of these lines; null = of all. */
    phone_numbers: z.array(z.string()).nullable(),
    is_active: z.boolean(),
    /** The header that carries a chat's routing token, learned from the receiver's answers; null = off. */
    routing_key_header: z.string().nullable(),
    /** The header that carries the chat's id beside it; null = Linq-Chat-Id. */
    routing_id_header: z.string().nullable(),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: "WebhookSubscription" });

export type WebhookSubscription = z.infer<typeof WebhookSubscription>;

/** What a subscription is made of: all of it at creation, any of it in an update. */
export const subscriptionFields = {
  target_url: z.string().min(1).check(maxUnits(TARGET_MOST)),
  subscribed_events: z.array(EventType).min(1).transform(distinct),
  phone_numbers: z
    .array(PhoneNumber)
    .nullable()
    .transform((numbers) => distinct(numbers ?? [])),
  routing_key_header: RoutingHeader,
  routing_id_header: RoutingHeader,
};

export const subscriptionSelect = {
  id: true,
  targetUrl: true,
  subscribedEvents: true,
  phoneNumbers: true,
  isActive: true,
  version: true,
  routingKeyHeader: true,
  routingIdHeader: true,
  createdAt: true,
  updatedAt: true,
} satisfies Prisma.WebhookSubscriptionSelect;

export type SubscriptionRow = Prisma.WebhookSubscriptionGetPayload<{ select: typeof subscriptionSelect }>;

/** As `subscriptionSelect`, for statements of our own. */
export const SUBSCRIPTION_COLUMNS = `id, target_url as "targetUrl", subscribed_events as "subscribedEvents",
  phone_numbers as "phoneNumbers", is_active as "isActive", version, routing_key_header as "routingKeyHeader",
  routing_id_header as "routingIdHeader", created_at as "createdAt", updated_at as "updatedAt"`;

export function toWebhookSubscription(row: SubscriptionRow): WebhookSubscription {
  return {
    id: row.id,
    target_url: row.targetUrl,
    subscribed_events: row.subscribedEvents,
    phone_numbers: row.phoneNumbers.length === 0 ? null : row.phoneNumbers,
    is_active: row.isActive,
    routing_key_header: row.routingKeyHeader,
    routing_id_header: row.routingIdHeader,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  };
}

function distinct<Item>(items: readonly Item[]): Item[] {
  return [...new Set(items)];
}
