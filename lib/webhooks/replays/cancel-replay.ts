import "server-only";
import { z } from "zod";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { fail } from "@/lib/platform/errors/errors";
import { changeReplay } from "@/lib/webhooks/replays/change-replay";
import { findReplayTarget } from "@/lib/webhooks/replays/find-replay-target";
import { WebhookReplay } from "@/lib/webhooks/replays/webhook-replay";

export const CancelReplay = contract({
  summary: "Cancel the replay to a webhook subscription",
  description:
    "Cancels the replay that runs or is paused. Events that it has not sent yet are not sent. Without such a replay, the request fails with 2015. A Trunkline extension.",
  tag: "Webhooks",
  right: "manage_webhooks",
  params: z.object({ subscriptionId: z.uuid().describe("ID of the webhook subscription.") }),
  returns: WebhookReplay,
  status: 200,
  errors: ["subscription_not_found", "access_denied", "name_unknown", "state_conflict", "parameter_invalid"],
  extension: true,
});

const FIND_RUNNING_REPLAY = statement(
  "find-running-replay",
  `select id from webhook_replays
  where account_id = :accountId and subscription_id = :subscriptionId and is_bulk and ended_at is null`,
);

/**
 * Cancels the subscription's replay of many events that has not ended. Errors: subscription_not_found, access_denied,
 * state_conflict (no such replay).
 */
export async function cancelReplay(
  ctx: Context,
  { params }: Pick<Input<typeof CancelReplay>, "params">,
): Promise<WebhookReplay> {
  const { id: subscriptionId } = await findReplayTarget(ctx, params.subscriptionId);
  const [running] = await sql.run(FIND_RUNNING_REPLAY, { accountId: ctx.account.id, subscriptionId });
  if (running === undefined) return fail("state_conflict", "no replay to this subscription is running");
  return changeReplay(ctx, {
    params: { replayId: running.id },
    query: undefined,
    body: { state: "canceled" },
  });
}
