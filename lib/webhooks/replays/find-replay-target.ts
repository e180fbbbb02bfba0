import "server-only";
import { WebhookVersion } from "@/lib/events/catalog/webhook-version";
import type { Context } from "@/lib/platform/context";
import { fail } from "@/lib/platform/errors/errors";
import type { ReplayTarget } from "@/lib/webhooks/replays/steps/replay-filter";
import { findWebhookSubscription } from "@/lib/webhooks/subscriptions/find-webhook-subscription";

/** A subscription of the account as the target of a replay. Errors: subscription_not_found, access_denied. */
export async function findReplayTarget(
  ctx: Context,
  subscriptionId: string,
): Promise<ReplayTarget & { isActive: boolean }> {
  const row = await findWebhookSubscription(ctx, subscriptionId);
  return {
    accountId: ctx.account.id,
    id: row.id,
    version: WebhookVersion.parse(row.version),
    subscribedEvents: row.subscribedEvents,
    phoneNumbers: row.phoneNumbers,
    isActive: row.isActive,
  };
}

/** Like `findReplayTarget`, for sending. Errors: also state_conflict while the subscription is paused or disabled. */
export async function findActiveReplayTarget(ctx: Context, subscriptionId: string): Promise<ReplayTarget> {
  const target = await findReplayTarget(ctx, subscriptionId);
  if (!target.isActive) fail("state_conflict", "the subscription is not active: enable it first");
  return target;
}
