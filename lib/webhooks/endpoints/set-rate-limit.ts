import "server-only";
import { z } from "zod";
import { recordAudit } from "@/lib/identity/audit/record-audit";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { transaction } from "@/lib/platform/database/db";
import { plannedStatement } from "@/lib/platform/database/statement";
import { lockEndpoint } from "@/lib/webhooks/endpoints/lock-endpoint";

const MAX_RATE = 1000;

export const SetRateLimit = contract({
  summary: "Set the rate limit of an endpoint",
  tag: "Webhooks",
  right: "manage_webhooks",
  params: z.object({ subscriptionId: z.uuid() }),
  body: z.object({
    /** Posts per second across all processes; null = no limit. */
    rate_limit: z.int().min(1).max(MAX_RATE).nullable(),
  }),
  status: 204,
  errors: ["access_denied", "parameter_invalid", "subscription_not_found"],
});

const SET_RATE_LIMIT = plannedStatement(
  "set-rate-limit",
  `update webhook_subscriptions set rate_limit = :rateLimit, rate_free_at = null, updated_at = :now
  where account_id = :accountId and id = :id`,
);

/** Sets or removes an endpoint's rate limit, which includes retries. Errors: subscription_not_found, access_denied. */
export async function setRateLimit(
  ctx: Context,
  { params, body }: Pick<Input<typeof SetRateLimit>, "params" | "body">,
): Promise<undefined> {
  await transaction(async (tx) => {
    const id = params.subscriptionId;
    await lockEndpoint(tx, ctx, id);
    await tx.run(SET_RATE_LIMIT, { accountId: ctx.account.id, id, rateLimit: body.rate_limit, now: ctx.now });
    await recordAudit(tx, ctx, "webhook_subscription.rate_limit_changed", "webhook_subscription", id, body);
    tx.wake("deliveries");
  });
}
