import "server-only";
import { z } from "zod";
import type { Context } from "@/lib/platform/context";
import { contract } from "@/lib/platform/contract";
import { sql } from "@/lib/platform/database/db";
import { plannedStatement } from "@/lib/platform/database/statement";
import { exportOf } from "@/lib/platform/lists/export-of";
import { HOUR_MS, lastBuckets } from "@/lib/webhooks/endpoints/attempt-buckets";
import {
  SUBSCRIPTION_VIEW_COLUMNS,
  toWebhookSubscriptionView,
  WebhookSubscriptionView,
} from "@/lib/webhooks/endpoints/webhook-subscription-view";

const HOURS = 24;

const LastDay = z.object({
  succeeded: z.int(),
  failed: z.int(),
  /** The last 24 hours, the current one last, for a sparkline. */
  hours: z.array(z.object({ at: z.iso.datetime(), succeeded: z.int(), failed: z.int() })),
});

export const ListWebhookSubscriptionViews = contract({
  summary: "List webhook subscriptions with their health",
  tag: "Webhooks",
  right: "view_webhooks",
  returns: z.object({
    endpoints: z.array(
      WebhookSubscriptionView.extend({ /** Attempts, retries included. */ last_24_hours: LastDay }),
    ),
  }),
  status: 200,
  errors: [],
});

/** The attempts of an hour. */
export interface HourCount {
  /** Milliseconds since 1970. */
  at: number;
  succeeded: number;
  failed: number;
}

const LIST_WEBHOOK_SUBSCRIPTION_VIEWS = plannedStatement(
  "list-webhook-subscription-views",
  `select ${SUBSCRIPTION_VIEW_COLUMNS}, (
    select coalesce(json_agg(h), '[]') from (
      select (extract(epoch from c.hour) * 1000)::float8 as at,
        coalesce(sum(c.count) filter (where c.outcome like '2__'), 0)::int as succeeded,
        coalesce(sum(c.count) filter (where c.outcome not like '2__'), 0)::int as failed
      from webhook_attempt_counts c
      where c.account_id = s.account_id and c.subscription_id = s.id and c.hour between :firstHour and :lastHour
      group by c.hour) h) as "hours: HourCount[]"
  from webhook_subscriptions s where s.account_id = :accountId and s.deleted_at is null
  order by s.created_at, s.id`,
);

/** All subscriptions of the account, including paused and disabled ones, oldest first, in one statement. */
export async function listWebhookSubscriptionViews(
  ctx: Context,
): Promise<z.infer<typeof ListWebhookSubscriptionViews.returns>> {
  const hours = lastBuckets(ctx.now, HOUR_MS, HOURS);
  const rows = await sql.run(LIST_WEBHOOK_SUBSCRIPTION_VIEWS, {
    accountId: ctx.account.id,
    firstHour: hours[0],
    lastHour: hours.at(-1),
  });
  return {
    endpoints: rows.map((row) => ({
      ...toWebhookSubscriptionView(row, ctx.now),
      last_24_hours: toLastDay(row.hours, hours),
    })),
  };
}

function toLastDay(counts: HourCount[], hours: Date[]): z.infer<typeof LastDay> {
  const byHour = new Map(counts.map((count) => [count.at, count]));
  return {
    succeeded: counts.reduce((sum, { succeeded }) => sum + succeeded, 0),
    failed: counts.reduce((sum, { failed }) => sum + failed, 0),
    hours: hours.map((hour) => {
      const { succeeded, failed } = byHour.get(hour.getTime()) ?? { succeeded: 0, failed: 0 };
      return { at: hour.toISOString(), succeeded, failed };
    }),
  };
}

/** The webhook endpoints of an account as CSV. */
export const exportWebhookSubscriptions = exportOf(
  ListWebhookSubscriptionViews,
  listWebhookSubscriptionViews,
  {
    summary: "Export webhook subscriptions as CSV",
    filename: "webhook-endpoints.csv",
    itemsOf: (page) => page.endpoints,
    columns: {
      subscription_id: ({ id }) => id,
      name: ({ name }) => name,
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
  },
);
