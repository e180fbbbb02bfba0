import "server-only";
import type { Context } from "@/lib/platform/context";
import { prisma } from "@/lib/platform/database/db";
import { fail } from "@/lib/platform/errors/errors";
import { type SubscriptionRow, subscriptionSelect } from "@/lib/webhooks/subscriptions/webhook-subscription";

/**
 * A subscription of the account. Errors: subscription_not_found (also when deleted), access_denied for another
 * account's subscription.
 */
export async function findWebhookSubscription(
  ctx: Context,
  subscriptionId: string,
): Promise<SubscriptionRow> {
  const row = await prisma().webhookSubscription.findFirst({
    where: { id: subscriptionId, deletedAt: null },
    select: { ...subscriptionSelect, accountId: true },
  });
  if (row === null) fail("subscription_not_found");
  if (row.accountId !== ctx.account.id) fail("access_denied");
  return row;
}
