import "server-only";
import { z } from "zod";
import type { Context } from "@/lib/platform/context";
import { contract } from "@/lib/platform/contract";
import { prisma } from "@/lib/platform/db";
import {
  subscriptionSelect,
  toWebhookSubscription,
  WebhookSubscription,
} from "@/lib/webhooks/webhook-subscription";

export const ListWebhookSubscriptions = contract({
  summary: "List webhook subscriptions",
  tag: "Webhooks",
  returns: z.object({ subscriptions: z.array(WebhookSubscription) }),
  status: 200,
  errors: [],
});

/** All subscriptions of the account, paused ones too, oldest first; not paginated (contract.md 1.11). */
export async function listWebhookSubscriptions(ctx: Context) {
  const rows = await prisma().webhookSubscription.findMany({
    where: { accountId: ctx.account.id, deletedAt: null },
    select: subscriptionSelect,
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
  });
  return { subscriptions: rows.map(toWebhookSubscription) };
}
