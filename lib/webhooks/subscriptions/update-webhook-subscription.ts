import "server-only";
import { z } from "zod";
import { requestChange } from "@/lib/events/store/emit-account-event";
import { findAccountOptions } from "@/lib/identity/accounts/find-account-options";
import { findOwnLines } from "@/lib/identity/accounts/find-own-lines";
import { changedFields } from "@/lib/identity/audit/changed-fields";
import { recordAudit } from "@/lib/identity/audit/record-audit";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { type Sql, transaction } from "@/lib/platform/database/db";
import { plannedStatement } from "@/lib/platform/database/statement";
import { env } from "@/lib/platform/env";
import { fail } from "@/lib/platform/errors/errors";
import type { RetryLadder } from "@/lib/platform/time/retry-ladder";
import { mendQueuesOf } from "@/lib/webhooks/deliveries/mend-queues";
import {
  checkRoutingHeaders,
  failDuplicateTarget,
  requireNewTarget,
} from "@/lib/webhooks/subscriptions/create-webhook-subscription";
import { emitSubscriptionChanges } from "@/lib/webhooks/subscriptions/emit-subscription-changes";
import { countSkipped, noticeSkipped } from "@/lib/webhooks/subscriptions/endpoint-notice";
import { findWebhookSubscription } from "@/lib/webhooks/subscriptions/find-webhook-subscription";
import { endsOrder, toOrdering, toOrderingColumns } from "@/lib/webhooks/subscriptions/ordering-settings";
import { toTurnColumns, toTurnSettings } from "@/lib/webhooks/subscriptions/turn-settings";
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
      retry_seconds: subscriptionFields.retry_seconds.optional(),
      auto_replay_per_second: subscriptionFields.auto_replay_per_second.optional(),
      turns: subscriptionFields.turns.optional(),
      ordering: subscriptionFields.ordering.optional(),
      on_exhausted: subscriptionFields.on_exhausted.optional(),
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
 * Changes the given fields; [] or null for phone_numbers removes the filter (docs/contract.md, section 12.1). The
 * signing secret stays. Errors: subscription_not_found, access_denied, parameter_invalid, line_not_permitted,
 * state_conflict.
 */
export async function updateWebhookSubscription(
  ctx: Context,
  { params, body }: Omit<Input<typeof UpdateWebhookSubscription>, "body"> & { body: Changes },
): Promise<WebhookSubscription> {
  if (body.target_url !== undefined) checkTarget(ctx.account, body.target_url);
  const { id } = await findWebhookSubscription(ctx, params.subscriptionId);
  await findOwnLines(ctx, body.phone_numbers ?? []);

  const { before, changed } = await transaction(async (tx) => {
    if (body.target_url !== undefined)
      await requireNewTarget(tx, { accountId: ctx.account.id, id }, body.target_url);
    const before = await lockSubscription(tx, ctx, id);
    const routing = routingOf(before, body);
    checkRoutingHeaders(routing);
    const changed = await change(tx, ctx, before, { ...body, ...routing });
    if (before.routingKeyHeader !== changed.routingKeyHeader) await clearRoutingTokens(tx, ctx, id);
    const detail = changedFields(toAudited(before), toAudited(changed));
    await recordAudit(tx, ctx, "webhook_subscription.updated", "webhook_subscription", id, detail);
    const endpoint = { accountId: ctx.account.id, id, targetUrl: changed.targetUrl };
    const skipped = needsOffer(ctx, before, changed) ? await countSkipped(tx, endpoint, ladderOf(before)) : 0;
    await updateEndpointState(tx, ctx.account.id, before, changed);
    if (skipped > 0) await noticeSkipped(tx, endpoint, { count: skipped, at: ctx.now });
    await emitSubscriptionChanges(tx, requestChange(ctx), before, changed);
    return { before, changed };
  });
  if (endsOrder(before, changed)) await mendQueuesOf(ctx.account.id, id);

  return toWebhookSubscription(changed);
}

// The dashboard asks the person who resumes an endpoint, and automatic replays need no one.
function needsOffer({ actor }: Context, before: SubscriptionRow, after: SubscriptionRow): boolean {
  const isResumed = after.isActive && !before.isActive;
  return isResumed && actor.type !== "user" && after.autoReplayPerSecond === null;
}

function ladderOf({ retrySeconds }: SubscriptionRow): RetryLadder {
  return retrySeconds.length === 0 ? env().WEBHOOK_RETRY_SECONDS : retrySeconds;
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
    retry_seconds: row.retrySeconds,
    auto_replay_per_second: row.autoReplayPerSecond,
    turns: toTurnSettings(row),
    ...toOrdering(row),
  };
}

function routingOf(before: SubscriptionRow, { routing_key_header, routing_id_header }: Changes) {
  return {
    routing_key_header: routing_key_header === undefined ? before.routingKeyHeader : routing_key_header,
    routing_id_header: routing_id_header === undefined ? before.routingIdHeader : routing_id_header,
  };
}

const CLEAR_ROUTING_TOKENS = plannedStatement(
  "clear-routing-tokens",
  "delete from webhook_routing_tokens where account_id = :accountId and subscription_id = :id",
);

// The tokens came from another header, or are no longer used.
async function clearRoutingTokens(tx: Sql, ctx: Context, id: string): Promise<void> {
  await tx.run(CLEAR_ROUTING_TOKENS, { accountId: ctx.account.id, id });
}

const LOCK_SUBSCRIPTION = plannedStatement(
  "lock-subscription",
  `select ${SUBSCRIPTION_COLUMNS} from webhook_subscriptions
  where account_id = :accountId and id = :id and deleted_at is null for no key update`,
);

// Locks the row until the change is stored, so that the event is correct when two requests change the subscription at
// the same time.
async function lockSubscription(tx: Sql, ctx: Context, id: string): Promise<SubscriptionRow> {
  const [row] = await tx.run(LOCK_SUBSCRIPTION, { accountId: ctx.account.id, id });
  return row ?? fail("subscription_not_found");
}

const UPDATE_WEBHOOK_SUBSCRIPTION = plannedStatement(
  "update-webhook-subscription",
  `update webhook_subscriptions
  set target_url = coalesce(:targetUrl, target_url), version = coalesce(:version, version),
    subscribed_events = coalesce(:subscribedEvents, subscribed_events), phone_numbers = coalesce(:phoneNumbers, phone_numbers),
    is_active = coalesce(:isActive, is_active), updated_at = :now, routing_key_header = :routingKeyHeader, routing_id_header = :routingIdHeader,
    retry_seconds = coalesce(:retrySeconds, retry_seconds),
    auto_replay_per_second = case when :hasAutoReplay::boolean then :autoReplay else auto_replay_per_second end,
    auto_replay_from = case when not :hasAutoReplay::boolean then auto_replay_from
      when :autoReplay::int is null then null else coalesce(auto_replay_from, disabled_at, :now) end,
    turn_quiet_ms = case when :hasTurns::boolean then :turnQuietMs else turn_quiet_ms end,
    turn_max_ms = case when :hasTurns::boolean then :turnMaxMs else turn_max_ms end,
    turn_groups = case when :hasTurns::boolean then :turnGroups else turn_groups end,
    order_by_chat = :orderByChat, stop_exhausted = :stopExhausted,
    name = case when :hasName::boolean then :name else name end
  where account_id = :accountId and id = :beforeId and deleted_at is null
  returning ${SUBSCRIPTION_COLUMNS}`,
);

async function change(
  tx: Sql,
  ctx: Context,
  before: SubscriptionRow,
  body: Changes,
): Promise<SubscriptionRow> {
  const { default_webhook_version } = await findAccountOptions(ctx.account.id);
  const [changed] = await tx
    .run(UPDATE_WEBHOOK_SUBSCRIPTION, {
      accountId: ctx.account.id,
      beforeId: before.id,
      targetUrl: body.target_url,
      version: body.target_url && webhookVersion(body.target_url, before.createdAt, default_webhook_version),
      subscribedEvents: body.subscribed_events,
      phoneNumbers: body.phone_numbers,
      isActive: body.is_active,
      now: ctx.now,
      routingKeyHeader: body.routing_key_header,
      routingIdHeader: body.routing_id_header,
      retrySeconds: body.retry_seconds,
      hasAutoReplay: body.auto_replay_per_second !== undefined,
      autoReplay: body.auto_replay_per_second ?? null,
      hasTurns: body.turns !== undefined,
      ...toTurnColumns(body.turns ?? null),
      ...toOrderingColumns(body, before),
      hasName: body.name !== undefined,
      name: body.name ?? null,
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
