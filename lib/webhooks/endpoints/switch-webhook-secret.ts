import "server-only";
import { z } from "zod";
import { recordAudit } from "@/lib/identity/audit/record-audit";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { transaction } from "@/lib/platform/database/db";
import { plannedStatement } from "@/lib/platform/database/statement";
import { fail } from "@/lib/platform/errors/errors";
import { lockEndpoint } from "@/lib/webhooks/endpoints/lock-endpoint";

export const SwitchWebhookSecret = contract({
  summary: "Switch the legacy signature to the new secret",
  tag: "Webhooks",
  right: "manage_webhooks",
  params: z.object({ subscriptionId: z.uuid() }),
  body: z.object({
    /** Also ends the overlap: the old secret becomes invalid. */
    end_overlap: z.boolean().default(false),
  }),
  status: 204,
  errors: ["access_denied", "state_conflict", "subscription_not_found"],
});

const SWITCH_WEBHOOK_SECRET = plannedStatement(
  "switch-webhook-secret",
  `update webhook_subscriptions
  set previous_signs_legacy = false, updated_at = :now,
    previous_secret = case when not :endOverlap then previous_secret end,
    previous_secret_until = case when not :endOverlap then previous_secret_until end
  where account_id = :accountId and id = :subscriptionId`,
);

/**
 * Makes the new secret sign `X-Webhook-Signature` during the overlap of a rotation; with `end_overlap`, the old secret
 * becomes invalid. Errors: subscription_not_found, access_denied, state_conflict without an overlap.
 */
export async function switchWebhookSecret(
  ctx: Context,
  { params, body }: Pick<Input<typeof SwitchWebhookSecret>, "params" | "body">,
): Promise<undefined> {
  await transaction(async (tx) => {
    const { previousSecretUntil } = await lockEndpoint(tx, ctx, params.subscriptionId);
    if (previousSecretUntil === null || previousSecretUntil <= ctx.now) {
      fail("state_conflict", "only one signing secret is valid: rotate the secret first");
    }
    await tx.run(SWITCH_WEBHOOK_SECRET, {
      accountId: ctx.account.id,
      subscriptionId: params.subscriptionId,
      endOverlap: body.end_overlap,
      now: ctx.now,
    });
    const action = body.end_overlap ? "secret_overlap_ended" : "secret_switched";
    const id = params.subscriptionId;
    await recordAudit(tx, ctx, `webhook_subscription.${action}`, "webhook_subscription", id);
  });
}
