import "server-only";
import { z } from "zod";
import { PhoneNumber } from "@/lib/chats/phone-handle";
import { EVENT_TYPES } from "@/lib/events/catalog";
import type { Prisma } from "@/lib/platform/prisma/client";

const TARGET_MOST = 2048;

const EventType = z.enum(EVENT_TYPES, {
  error: ({ input }) => `unknown event ${JSON.stringify(input)}: GET /v3/webhook-events lists all`,
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
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: "WebhookSubscription" });

export type WebhookSubscription = z.infer<typeof WebhookSubscription>;

/** What a subscription is made of: all of it at creation, any of it in an update. */
export const subscriptionFields = {
  target_url: z.string().min(1).max(TARGET_MOST),
  subscribed_events: z.array(EventType).min(1).transform(distinct),
  phone_numbers: z
    .array(PhoneNumber)
    .nullable()
    .transform((numbers) => distinct(numbers ?? [])),
};

export const subscriptionSelect = {
  id: true,
  targetUrl: true,
  subscribedEvents: true,
  phoneNumbers: true,
  isActive: true,
  createdAt: true,
  updatedAt: true,
} satisfies Prisma.WebhookSubscriptionSelect;

export type SubscriptionRow = Prisma.WebhookSubscriptionGetPayload<{ select: typeof subscriptionSelect }>;

/** As `subscriptionSelect`, for statements of our own. */
export const SUBSCRIPTION_COLUMNS = `id, target_url as "targetUrl", subscribed_events as "subscribedEvents",
  phone_numbers as "phoneNumbers", is_active as "isActive", created_at as "createdAt", updated_at as "updatedAt"`;

export function toWebhookSubscription(row: SubscriptionRow): WebhookSubscription {
  return {
    id: row.id,
    target_url: row.targetUrl,
    subscribed_events: row.subscribedEvents,
    phone_numbers: row.phoneNumbers.length === 0 ? null : row.phoneNumbers,
    is_active: row.isActive,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  };
}

function distinct<Item>(items: readonly Item[]): Item[] {
  return [...new Set(items)];
}
