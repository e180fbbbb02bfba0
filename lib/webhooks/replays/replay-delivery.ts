import "server-only";
import { z } from "zod";
import { eventVersions } from "@/lib/events/catalog/event-types";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { sql, transaction } from "@/lib/platform/database/db";
import { plannedStatement } from "@/lib/platform/database/statement";
import { fail } from "@/lib/platform/errors/errors";
import { findActiveReplayTarget } from "@/lib/webhooks/replays/find-replay-target";
import { readReplay } from "@/lib/webhooks/replays/get-replay";
import { storeReplay } from "@/lib/webhooks/replays/steps/store-replay";
import { WebhookReplay } from "@/lib/webhooks/replays/webhook-replay";

export const ReplayDelivery = contract({
  summary: "Replay one webhook delivery",
  tag: "Webhooks",
  right: "manage_webhooks",
  params: z.object({ deliveryId: z.uuid() }),
  returns: WebhookReplay,
  status: 201,
  errors: ["name_unknown", "subscription_not_found", "access_denied", "state_conflict"],
});

/**
 * Sends the event of a delivery to its subscription again. The delivery may have any status and does not change.
 * Errors: access_denied, name_unknown (no such delivery in the account), subscription_not_found (deleted since),
 * state_conflict (paused, or its version lacks the event type).
 */
export async function replayDelivery(
  ctx: Context,
  { params }: Pick<Input<typeof ReplayDelivery>, "params">,
): Promise<WebhookReplay> {
  const delivery = await findDelivery(ctx, params.deliveryId);
  const target = await findActiveReplayTarget(ctx, delivery.subscription_id);
  if (!eventVersions(delivery.type).includes(target.version)) {
    fail(
      "state_conflict",
      `version ${target.version} has no events of type ${delivery.type}: set a newer version with ?version= in target_url`,
    );
  }

  const id = await transaction((tx) => {
    const selection = { delivery_id: params.deliveryId };
    const replay = {
      target,
      selection,
      noted: selection,
      isBulk: false,
      coversSkipped: false,
      perSecond: 1,
    };
    return storeReplay(tx, ctx, replay, {
      text: "select seq from events where account_id = $1 and seq = $2",
      values: [ctx.account.id, delivery.event_seq],
    });
  });

  return readReplay(ctx, id);
}

const FIND_DELIVERY = plannedStatement(
  "find-delivery",
  `select d.subscription_id, d.event_seq, e.type
  from webhook_deliveries d join events e on e.account_id = d.account_id and e.seq = d.event_seq
  where d.account_id = :accountId and d.id = :deliveryId`,
);

async function findDelivery(ctx: Context, deliveryId: string) {
  const [row] = await sql.run(FIND_DELIVERY, { accountId: ctx.account.id, deliveryId });
  return row ?? fail("name_unknown", "the account has no delivery with this ID");
}
