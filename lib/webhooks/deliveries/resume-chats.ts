import "server-only";
import { z } from "zod";
import { isStopped } from "@/lib/events/store/delivery-state";
import { recordAudit } from "@/lib/identity/audit/record-audit";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { transaction } from "@/lib/platform/database/db";
import { plannedStatement } from "@/lib/platform/database/statement";
import { passFreeTurns, passQueues } from "@/lib/webhooks/deliveries/pass-turns";
import { lockEndpoint } from "@/lib/webhooks/endpoints/lock-endpoint";
import { findActiveReplayTarget } from "@/lib/webhooks/replays/find-replay-target";
import { withdrawUnlessStopped } from "@/lib/webhooks/subscriptions/endpoint-notice";
import { SubscriptionParams } from "@/lib/webhooks/subscriptions/webhook-subscription";

/** The most chats that one call resumes. The next call takes the others. */
const MAX_RESUMED = 1000;

export const ResumeChats = contract({
  summary: "Resume stopped chats of a webhook subscription",
  description:
    "Resumes chats that a delivery stopped after it permanently failed (`on_exhausted` `stop`). `retry` attempts this delivery again: if it permanently fails again, the chat stays stopped. `skip` ends the delivery as failed, and the chat's next event follows. Without `chat_id`, at most 1,000 stopped chats are resumed. A Trunkline extension.",
  tag: "Webhooks",
  right: "manage_webhooks",
  params: SubscriptionParams,
  body: z
    .object({
      action: z.enum(["retry", "skip"]).describe("What happens to the delivery that stopped the chat."),
      chat_id: z.uuid().optional().describe("ID of the chat. Omit for all stopped chats."),
    })
    .meta({ examples: [{ action: "retry", chat_id: "019ca9c1-5d20-7a1c-b3f4-1a2b3c4d5e6f" }] }),
  returns: z
    .object({ resumed: z.int().describe("Number of chats that were stopped and are resumed.") })
    .meta({ examples: [{ resumed: 1 }] }),
  status: 200,
  errors: ["field_missing", "parameter_invalid", "subscription_not_found", "access_denied", "state_conflict"],
  extension: true,
});

const STOPPED = `select d.account_id, d.id, d.queue_chat_id from webhook_deliveries d
    where d.account_id = :accountId and d.subscription_id = :subscriptionId and ${isStopped("d")}
      and (:chatId::uuid is null or d.queue_chat_id = :chatId)
    order by d.queue_chat_id limit ${MAX_RESUMED} for no key update skip locked`;

// The delivery keeps its turn, so the chat's other events go on waiting.
const RETRY_STOPPED = plannedStatement(
  "retry-stopped-deliveries",
  `with stopped as (${STOPPED})
  update webhook_deliveries d set run_at = :now, stopped_at = null
  from stopped where d.account_id = stopped.account_id and d.id = stopped.id
  returning d.queue_chat_id as "chatId!"`,
);

const SKIP_STOPPED = plannedStatement(
  "skip-stopped-deliveries",
  `with stopped as (${STOPPED})
  update webhook_deliveries d set status = 'failed', ended_at = :now, stopped_at = null
  from stopped where d.account_id = stopped.account_id and d.id = stopped.id
  returning d.queue_chat_id as "chatId!"`,
);

const RESUME = { retry: RETRY_STOPPED, skip: SKIP_STOPPED } as const;

/**
 * Resumes one stopped chat of a subscription or all of them, with an audit entry. Errors: subscription_not_found,
 * access_denied, state_conflict while the subscription is paused or disabled.
 */
export async function resumeChats(
  ctx: Context,
  { params, body }: Pick<Input<typeof ResumeChats>, "params" | "body">,
): Promise<z.infer<typeof ResumeChats.returns>> {
  const { id: subscriptionId } = await findActiveReplayTarget(ctx, params.subscriptionId);
  const endpoint = { accountId: ctx.account.id, subscriptionId };
  const { resumed, held } = await transaction(async (tx) => {
    // A chat that is just stopping holds it, so the notice is withdrawn only when none is stopped.
    await lockEndpoint(tx, ctx, subscriptionId);
    const rows = await tx.run(RESUME[body.action], { ...endpoint, chatId: body.chat_id, now: ctx.now });
    const queues = rows.map(({ chatId }) => ({ ...endpoint, chatId }));
    if (queues.length > 0) {
      await recordAudit(
        tx,
        ctx,
        "webhook_subscription.chats_resumed",
        "webhook_subscription",
        subscriptionId,
        {
          ...body,
          resumed: queues.length,
        },
      );
      tx.wake("deliveries");
    }
    await withdrawUnlessStopped(tx, { accountId: ctx.account.id, id: subscriptionId }, ctx.now);
    const left = body.action === "skip" ? await passFreeTurns(tx, queues, ctx.now) : [];
    return { resumed: queues.length, held: left };
  });
  await passQueues(held);
  return { resumed };
}
