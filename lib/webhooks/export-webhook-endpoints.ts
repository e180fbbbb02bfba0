import "server-only";
import { exportOf } from "@/lib/platform/export-of";
import { ListWebhookEndpoints, listWebhookEndpoints } from "@/lib/webhooks/list-webhook-endpoints";

/** The webhook endpoints of an account as CSV. */
export const exportWebhookEndpoints = exportOf(ListWebhookEndpoints, listWebhookEndpoints, {
  summary: "Export webhook subscriptions as CSV",
  filename: "webhook-endpoints.csv",
  itemsOf: (page) => page.endpoints,
  columns: {
    subscription_id: ({ id }) => id,
    target_url: ({ target_url }) => target_url,
    status: ({ state }) => state,
    version: ({ version }) => version,
    subscribed_events: ({ subscribed_events }) => subscribed_events.join(" "),
    phone_numbers: ({ phone_numbers }) => phone_numbers?.join(" "),
    rate_limit_per_second: ({ rate_limit }) => rate_limit,
    succeeded_24_hours: ({ last_24_hours }) => last_24_hours.succeeded,
    failed_24_hours: ({ last_24_hours }) => last_24_hours.failed,
    failing_since: ({ failing_since }) => failing_since,
    disabled_at: ({ disabled_at }) => disabled_at,
    disabled_reason: ({ disabled_reason }) => disabled_reason,
    created_at: ({ created_at }) => created_at,
    updated_at: ({ updated_at }) => updated_at,
  },
});
