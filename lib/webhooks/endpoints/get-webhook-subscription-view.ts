import "server-only";
import { z } from "zod";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { prisma, sql } from "@/lib/platform/database/db";
import { plannedStatement } from "@/lib/platform/database/statement";
import { fail } from "@/lib/platform/errors/errors";
import {
  ANSWERED_AT,
  STOPPED_CHATS,
  subscriptionViewSelect,
  toWebhookSubscriptionView,
  WebhookSubscriptionView,
} from "@/lib/webhooks/endpoints/webhook-subscription-view";

export const GetWebhookSubscriptionView = contract({
  summary: "Get a webhook subscription with its status",
  tag: "Webhooks",
  right: "view_webhooks",
  params: z.object({ subscriptionId: z.uuid() }),
  returns: WebhookSubscriptionView,
  status: 200,
  errors: ["access_denied", "subscription_not_found"],
});

const READ_ENDPOINT_STATE = plannedStatement(
  "read-endpoint-state",
  `select ${ANSWERED_AT} as "answeredAt", ${STOPPED_CHATS} as "stoppedChats!" from webhook_subscriptions s where s.account_id = :accountId and s.id = :id`,
);

/** One subscription of the account with its dashboard state. Errors: subscription_not_found, access_denied. */
export async function getWebhookSubscriptionView(
  ctx: Context,
  { params }: Pick<Input<typeof GetWebhookSubscriptionView>, "params">,
): Promise<WebhookSubscriptionView> {
  const row = await prisma().webhookSubscription.findFirst({
    where: { id: params.subscriptionId, deletedAt: null },
    select: { ...subscriptionViewSelect, accountId: true },
  });
  if (row === null) fail("subscription_not_found");
  if (row.accountId !== ctx.account.id) fail("access_denied");
  const [state = { answeredAt: null, stoppedChats: 0 }] =
    row.isActive && !row.orderByChat
      ? []
      : await sql.run(READ_ENDPOINT_STATE, { accountId: row.accountId, id: row.id });
  return toWebhookSubscriptionView({ ...row, ...state }, ctx.now);
}
