import "server-only";
import { z } from "zod";
import type { Context } from "@/lib/platform/context";
import { contract } from "@/lib/platform/contract";
import { exportOf } from "@/lib/platform/lists/export-of";
import { Consumer } from "@/lib/webhooks/consumers/consumer";
import { listConsumers } from "@/lib/webhooks/consumers/list-consumers";
import { MAX_CONSUMERS } from "@/lib/webhooks/consumers/put-consumer";

export const ListConsumerViews = contract({
  summary: "List all consumers",
  tag: "Webhooks",
  right: "view_webhooks",
  returns: z.object({ consumers: z.array(Consumer) }),
  status: 200,
  errors: [],
});

/** All consumers of the account, by name. */
export async function listConsumerViews(ctx: Context): Promise<z.infer<typeof ListConsumerViews.returns>> {
  const { consumers } = await listConsumers(ctx, { query: { limit: MAX_CONSUMERS } });
  return { consumers };
}

/** The consumers of an account as CSV. */
export const exportConsumers = exportOf(ListConsumerViews, listConsumerViews, {
  summary: "Export consumers as CSV",
  filename: "consumers.csv",
  itemsOf: (page) => page.consumers,
  columns: {
    name: ({ name }) => name,
    types: ({ types }) => types.join(" "),
    phone_numbers: ({ phone_numbers }) => phone_numbers?.join(" "),
    version: ({ version }) => version,
    position: ({ position }) => position,
    waiting_events: ({ lag }) => lag.events,
    waiting_events_is_partial: ({ lag }) => String(lag.is_partial === true),
    oldest_waiting_at: ({ lag }) => lag.oldest_at,
    leased_until: ({ leased_until }) => leased_until,
    has_expired_events: ({ has_expired_events }) => String(has_expired_events),
    last_polled_at: ({ last_polled_at }) => last_polled_at,
    created_at: ({ created_at }) => created_at,
  },
});
