import "server-only";
import { z } from "zod";
import { requestChange } from "@/lib/events/store/emit-account-event";
import { findOwnLines } from "@/lib/identity/accounts/find-own-lines";
import { getAccountOptions } from "@/lib/identity/accounts/get-account-options";
import { changedFields } from "@/lib/identity/audit/changed-fields";
import { recordAudit } from "@/lib/identity/audit/record-audit";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { type Sql, transaction } from "@/lib/platform/database/db";
import { fail } from "@/lib/platform/errors/errors";
import {
  checkRoutingHeaders,
  failDuplicateTarget,
  requireNewTarget,
} from "@/lib/webhooks/subscriptions/create-webhook-subscription";
import { emitSubscriptionChanges } from "@/lib/webhooks/subscriptions/emit-subscription-changes";
import { findWebhookSubscription } from "@/lib/webhooks/subscriptions/find-webhook-subscription";
import { updateEndpointState } from "@/lib/webhooks/subscriptions/update-endpoint-state";
import {
  SUBSCRIPTION_COLUMNS,
  SubscriptionParams,
  type SubscriptionRow,
  subscriptionFields,
  toWebhookSubscription,
  WebhookSubscription,
} from "@/lib/webhooks/subscriptions/webhook-subscription";
import { checkTarget, webhookVersion, withoutQuery } from "@/lib/webhooks/targets/webhook-target";

const UNIQUE_VIOLATION = "23505";

export const UpdateWebhookSubscription = contract({
  summary: "Update or pause a webhook subscription",
  description:
    "Updates a webhook subscription. Omitted fields keep their values. Set `is_active` to `false` to pause deliveries.",
  tag: "Webhooks",
  right: "manage_webhooks",
  proof: ["target_url"],
  params: SubscriptionParams,
  body: z
    .object({
      target_url: subscriptionFields.target_url.optional(),
      subscribed_events: subscriptionFields.subscribed_events.optional(),
      phone_numbers: subscriptionFields.phone_numbers.optional(),
      is_active: z
        .boolean()
        .optional()
        .describe("`true` if events are delivered; `false` if deliveries are paused."),
      routing_key_header: subscriptionFields.routing_key_header.optional(),
      routing_id_header: subscriptionFields.routing_id_header.optional(),
    })
    .meta({ examples: [{ is_active: false }] }),
  returns: WebhookSubscription,
  status: 200,
  errors: [
    "parameter_invalid",
    "phone_not_e164",
    "subscription_not_found",
    "access_denied",
    "line_not_permitted",
    "state_conflict",
  ],
});

/** Only the dashboard changes the `name`. */
type Changes = Input<typeof UpdateWebhookSubscription>["body"] & { name?: string | null };

/**
 * Changes the given fields; [] or null for phone_numbers removes the filter (contract.md 1.11). The signing secret
 * stays. Errors: subscription_not_found, access_denied, parameter_invalid, line_not_permitted, state_conflict.
 */
export async function updateWebhookSubscription(
  ctx: Context,
  { params, body }: Omit<Input<typeof UpdateWebhookSubscription>, "body"> & { body: Changes },
): Promise<WebhookSubscription> {
  if (body.target_url !== undefined) checkTarget(ctx.account, body.target_url);
  const { id } = await findWebhookSubscription(ctx, params.subscriptionId);
  await findOwnLines(ctx, body.phone_numbers ?? []);

  const after = await transaction(async (tx) => {
    if (body.target_url !== undefined)
      await requireNewTarget(tx, { accountId: ctx.account.id, id }, body.target_url);
    const before = await lockSubscription(tx, ctx, id);
    const routing = routingOf(before, body);
    checkRoutingHeaders(routing);
    const changed = await change(tx, ctx, before, { ...body, ...routing });
    if (before.routingKeyHeader !== changed.routingKeyHeader) await clearRoutingTokens(tx, ctx, id);
    const detail = changedFields(toAudited(before), toAudited(changed));
    await recordAudit(tx, ctx, "webhook_subscription.updated", "webhook_subscription", id, detail);
    await updateEndpointState(tx, ctx.account.id, before, changed);
    await emitSubscriptionChanges(tx, requestChange(ctx), before, changed);
    return changed;
  });

  return toWebhookSubscription(after);
}

// Queries of URLs may contain secrets.
function toAudited(row: SubscriptionRow): Readonly<Record<string, unknown>> {
  return {
    name: row.name,
    target_url: withoutQuery(row.targetUrl),
    subscribed_events: row.subscribedEvents,
    phone_numbers: row.phoneNumbers,
    is_active: row.isActive,
    routing_key_header: row.routingKeyHeader,
    routing_id_header: row.routingIdHeader,
  };
}

function routingOf(before: SubscriptionRow, { routing_key_header, routing_id_header }: Changes) {
  return {
    routing_key_header: routing_key_header === undefined ? before.routingKeyHeader : routing_key_header,
    routing_id_header: routing_id_header === undefined ? before.routingIdHeader : routing_id_header,
  };
}

// The tokens came from another header, or are no longer used.
async function clearRoutingTokens(tx: Sql, ctx: Context, id: string): Promise<void> {
  await tx.query({
    text: "delete from webhook_routing_tokens where account_id = $1 and subscription_id = $2",
    values: [ctx.account.id, id],
  });
}

// Locks the row until the change is stored, so that the event is correct when two requests change the subscription at
// the same time.
async function lockSubscription(tx: Sql, ctx: Context, id: string): Promise<SubscriptionRow> {
  const [row] = await tx.query<SubscriptionRow>({
    text: `select ${SUBSCRIPTION_COLUMNS} from webhook_subscriptions
           where account_id = $1 and id = $2 and deleted_at is null for no key update`,
    values: [ctx.account.id, id],
  });
  return row ?? fail("subscription_not_found");
}

async function change(
  tx: Sql,
  ctx: Context,
  before: SubscriptionRow,
  body: Changes,
): Promise<SubscriptionRow> {
  const { default_webhook_version } = await getAccountOptions(ctx.account.id);
  const [changed] = await tx
    .query<SubscriptionRow>({
      text: `update webhook_subscriptions
             set target_url = coalesce($3, target_url), version = coalesce($4, version),
               subscribed_events = coalesce($5, subscribed_events), phone_numbers = coalesce($6, phone_numbers),
               is_active = coalesce($7, is_active), updated_at = $8, routing_key_header = $9, routing_id_header = $10,
               name = case when $11::boolean then $12 else name end
             where account_id = $1 and id = $2 and deleted_at is null
             returning ${SUBSCRIPTION_COLUMNS}`,
      values: [
        ctx.account.id,
        before.id,
        body.target_url,
        body.target_url && webhookVersion(body.target_url, before.createdAt, default_webhook_version),
        body.subscribed_events,
        body.phone_numbers,
        body.is_active,
        ctx.now,
        body.routing_key_header,
        body.routing_id_header,
        body.name !== undefined,
        body.name ?? null,
      ],
    })
    .catch((error: unknown) => {
      if (isUniqueViolation(error)) return failDuplicateTarget(body.target_url ?? before.targetUrl);
      throw error;
    });
  return changed ?? fail("subscription_not_found");
}

function isUniqueViolation(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === UNIQUE_VIOLATION;
}
