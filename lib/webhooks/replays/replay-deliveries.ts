import "server-only";
import { z } from "zod";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { boundedSearch } from "@/lib/platform/lists/bounded-search";
import { findActiveReplayTarget } from "@/lib/webhooks/replays/find-replay-target";
import { readReplay } from "@/lib/webhooks/replays/get-replay";
import { coversSkipped, filteredEvents, ReplayFilter } from "@/lib/webhooks/replays/steps/replay-filter";
import { storeReplay } from "@/lib/webhooks/replays/steps/store-replay";
import { ReplaySpeedWithDefault, WebhookReplay } from "@/lib/webhooks/replays/webhook-replay";

const TIMEOUT_MS = 20_000;

export const ReplayDeliveries = contract({
  summary: "Replay events to a webhook subscription",
  description:
    "Delivers the events that a filter selects again, oldest first, with the same `event_id` and the header `X-Webhook-Replay: true`. A subscription runs one such replay at a time; a replay without events fails with 2015. A Trunkline extension.",
  tag: "Webhooks",
  right: "manage_webhooks",
  params: z.object({ subscriptionId: z.uuid().describe("ID of the webhook subscription.") }),
  body: z
    .object({
      filter: ReplayFilter.describe("Selects the events."),
      per_second: ReplaySpeedWithDefault,
    })
    .meta({ examples: [{ filter: { statuses: ["failed"], from: "2026-03-01T10:00:00.000Z" } }] }),
  returns: WebhookReplay,
  status: 201,
  errors: [
    "subscription_not_found",
    "access_denied",
    "state_conflict",
    "parameter_invalid",
    "field_missing",
    "rate_limited",
  ],
  extension: true,
});

/**
 * Posts the events that a filter selects to a subscription again, oldest first and at most `per_second`: with the same
 * event_id and webhook-id, signed and rendered anew, marked `X-Webhook-Replay: true`. Errors: subscription_not_found,
 * access_denied, parameter_invalid, state_conflict (subscription paused, nothing to replay, or another of its replays
 * is running).
 */
export async function replayDeliveries(
  ctx: Context,
  { params, body }: Input<typeof ReplayDeliveries>,
): Promise<WebhookReplay> {
  const target = await findActiveReplayTarget(ctx, params.subscriptionId);

  const id = await boundedSearch(ctx.account.id, TIMEOUT_MS, async (tx) => {
    const events = await filteredEvents(tx, target, body.filter);
    const { json_path, ...filter } = body.filter;
    const noted = { filter, has_json_path: json_path !== undefined };
    const selection = { filter: body.filter };
    const replay = {
      target,
      selection,
      noted,
      isBulk: true,
      coversSkipped: coversSkipped(body.filter),
      perSecond: body.per_second,
    };
    return storeReplay(tx, ctx, replay, events);
  });

  return readReplay(ctx, id);
}
