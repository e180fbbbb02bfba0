import "server-only";
import { z } from "zod";
import type { LoggedEvent } from "@/lib/events/store/logged-event";
import type { Context } from "@/lib/platform/context";
import { prisma } from "@/lib/platform/database/db";
import { originOf } from "@/lib/webhooks/deliveries/attempt/stored-request";
import { RecordedAttempt, toRecordedAttempt } from "@/lib/webhooks/deliveries/recorded-attempt";

/** The delivery of an event to one webhook subscription. */
export const EventDelivery = z.object({
  id: z.uuid(),
  subscription_id: z.uuid(),
  target_url: z.string(),
  version: z.string(),
  status: z.enum(["waiting", "delivered", "failed", "skipped"]),
  /** The time of the next attempt; null when the delivery has ended. */
  next_attempt_at: z.iso.datetime().nullable(),
  /** The replay that sent the event again; null for the original delivery. */
  replay_id: z.uuid().nullable(),
  attempts: z.array(RecordedAttempt),
});

export type EventDelivery = z.infer<typeof EventDelivery>;

/** The deliveries of one event of the account with their attempts: oldest subscription first, replays last. */
export async function listEventDeliveries(
  ctx: Context,
  event: Pick<LoggedEvent, "seq" | "id" | "type">,
): Promise<EventDelivery[]> {
  const rows = await prisma().webhookDelivery.findMany({
    where: { accountId: ctx.account.id, eventSeq: event.seq },
    select: {
      id: true,
      status: true,
      runAt: true,
      replayId: true,
      subscription: { select: { id: true, targetUrl: true, version: true } },
    },
    orderBy: [{ subscriptionId: "asc" }, { createdAt: "asc" }],
  });
  const attempts = await prisma().webhookAttempt.findMany({
    where: { accountId: ctx.account.id, eventSeq: event.seq, deliveryId: { in: rows.map(({ id }) => id) } },
    orderBy: { number: "asc" },
  });
  const byDelivery = Map.groupBy(attempts, ({ deliveryId }) => deliveryId);
  return rows.map(({ id, status, runAt, replayId, subscription }) => ({
    id,
    subscription_id: subscription.id,
    target_url: subscription.targetUrl,
    version: subscription.version,
    status,
    next_attempt_at: runAt?.toISOString() ?? null,
    replay_id: replayId,
    attempts: (byDelivery.get(id) ?? []).map((row) =>
      toRecordedAttempt(row, originOf({ event, subscription })),
    ),
  }));
}
