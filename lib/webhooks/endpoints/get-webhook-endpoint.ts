import "server-only";
import { z } from "zod";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { prisma } from "@/lib/platform/database/db";
import { fail } from "@/lib/platform/errors/errors";
import {
  endpointSelect,
  toWebhookEndpoint,
  WebhookEndpoint,
} from "@/lib/webhooks/endpoints/webhook-endpoint";

export const GetWebhookEndpoint = contract({
  summary: "Get a webhook subscription with its status",
  tag: "Webhooks",
  right: "view_webhooks",
  params: z.object({ subscriptionId: z.uuid() }),
  returns: WebhookEndpoint,
  status: 200,
  errors: ["access_denied", "subscription_not_found"],
});

/** One subscription of the account with its dashboard state. Errors: subscription_not_found, access_denied. */
export async function getWebhookEndpoint(
  ctx: Context,
  { params }: Pick<Input<typeof GetWebhookEndpoint>, "params">,
): Promise<WebhookEndpoint> {
  const row = await prisma().webhookSubscription.findFirst({
    where: { id: params.subscriptionId, deletedAt: null },
    select: { ...endpointSelect, accountId: true },
  });
  if (row === null) fail("subscription_not_found");
  if (row.accountId !== ctx.account.id) fail("access_denied");
  return toWebhookEndpoint(row, ctx.now);
}
