import "server-only";
import { z } from "zod";
import { eventVersions } from "@/lib/events/catalog/event-types";
import { hidePayload, mayReadPayload } from "@/lib/events/catalog/hide-payload";
import { renderEvent, WebhookEnvelope } from "@/lib/events/catalog/render-event";
import { WebhookVersion } from "@/lib/events/catalog/webhook-version";
import { toWholeData } from "@/lib/events/store/stored-data";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { prisma, sql } from "@/lib/platform/database/db";
import { plannedStatement, type RowOf } from "@/lib/platform/database/statement";
import { fail } from "@/lib/platform/errors/errors";
import { withoutWalletLinks } from "@/lib/platform/rights/redact-wallet-links";
import { originOf } from "@/lib/webhooks/deliveries/attempt/stored-request";
import {
  DELIVERY_VIEW_COLUMNS,
  DELIVERY_VIEW_FROM,
  DeliveryView,
  toDeliveryView,
} from "@/lib/webhooks/deliveries/delivery-view";
import { RecordedAttempt, toRecordedAttempt } from "@/lib/webhooks/deliveries/recorded-attempt";

export const GetDeliveryView = contract({
  summary: "Get a delivery with its payload and attempts",
  tag: "Webhooks",
  right: "view_webhooks",
  params: z.object({ deliveryId: z.uuid() }),
  returns: z.object({
    delivery: DeliveryView,
    target_url: z.string(),
    /** The endpoint's name in the dashboard. */
    name: z.string().nullable(),
    /** Whether the subscription still exists. */
    is_deleted: z.boolean(),
    /**
     * The version of the last attempt. Before the first, the endpoint's version, or the newest version with this event
     * type if the endpoint's lacks it.
     */
    version: z.string(),
    /** The posted body. Media URLs are created anew each time. */
    payload: WebhookEnvelope,
    /** Oldest first. */
    attempts: z.array(RecordedAttempt),
  }),
  status: 200,
  errors: ["name_unknown"],
});

/** One delivery of the account. Errors: name_unknown (also for another account's delivery). */
export async function getDeliveryView(
  ctx: Context,
  { params }: Pick<Input<typeof GetDeliveryView>, "params">,
): Promise<z.infer<typeof GetDeliveryView.returns>> {
  const row = await readDelivery(ctx, params.deliveryId);
  const delivery = toDeliveryView(ctx, row);
  const attempts = await readAttempts(ctx, delivery);

  const version = shownVersion(delivery.event.type, attempts, row.version);
  const event = {
    ...delivery.event,
    traceId: row.trace_id,
    createdAt: row.event_at,
    data: toWholeData(row.data),
  };
  return {
    delivery,
    target_url: row.target_url,
    name: row.name,
    is_deleted: row.deleted_at !== null,
    version,
    payload: hidePayload(
      ctx,
      withoutWalletLinks(
        renderEvent({ ...event, sequence: delivery.sequence ?? undefined }, ctx.account.partnerId, version),
      ),
    ),
    // A receiver's response may repeat the posted content.
    attempts: mayReadPayload(ctx, event.type)
      ? withoutWalletLinks(attempts)
      : attempts.map((attempt) => ({ ...attempt, response_body: null })),
  };
}

// The subscription's version may have changed since: the last posted version applies, then a version with the event
// type.
function shownVersion(type: string, attempts: readonly RecordedAttempt[], current: string): WebhookVersion {
  const posted = attempts.findLast(({ request }) => request !== null)?.request?.version;
  const wanted = WebhookVersion.parse(posted ?? current);
  const versions = eventVersions(type);
  return versions.includes(wanted) ? wanted : (versions.at(-1) ?? wanted);
}

const READ_DELIVERY = plannedStatement(
  "read-delivery",
  `select ${DELIVERY_VIEW_COLUMNS}, s.target_url, s.name, s.deleted_at, s.version
  from ${DELIVERY_VIEW_FROM}
  join webhook_subscriptions s on s.account_id = d.account_id and s.id = d.subscription_id
  where d.account_id = :accountId and d.id = :deliveryId`,
);

async function readDelivery(ctx: Context, deliveryId: string): Promise<RowOf<"read-delivery">> {
  const [row] = await sql.run(READ_DELIVERY, { accountId: ctx.account.id, deliveryId });
  return row ?? fail("name_unknown", "the account has no delivery with this ID");
}

async function readAttempts(ctx: Context, delivery: DeliveryView): Promise<RecordedAttempt[]> {
  const rows = await prisma().webhookAttempt.findMany({
    where: { accountId: ctx.account.id, eventSeq: delivery.event.seq, deliveryId: delivery.id },
    orderBy: { number: "asc" },
  });
  const origin = originOf({ event: delivery.event, subscription: { id: delivery.subscription_id } });
  return rows.map((row) => toRecordedAttempt(row, origin));
}
