import "server-only";
import { z } from "zod";
import { DeliveryState, deliveryState } from "@/lib/events/store/delivery-state";
import type { LoggedEvent } from "@/lib/events/store/logged-event";
import type { Context } from "@/lib/platform/context";
import { prisma, sql } from "@/lib/platform/database/db";
import { plannedStatement } from "@/lib/platform/database/statement";
import { originOf } from "@/lib/webhooks/deliveries/attempt/stored-request";
import { RecordedAttempt, toRecordedAttempt } from "@/lib/webhooks/deliveries/recorded-attempt";

/** The delivery of an event to one webhook subscription. */
export const EventDelivery = z.object({
  id: z.uuid(),
  subscription_id: z.uuid(),
  target_url: z.string(),
  version: z.string(),
  status: DeliveryState,
  /** The time of the next attempt; null when the delivery has ended or waits for something else. */
  next_attempt_at: z.iso.datetime().nullable(),
  /** The replay that sent the event again; null for the original delivery. */
  replay_id: z.uuid().nullable(),
  attempts: z.array(RecordedAttempt),
});

export type EventDelivery = z.infer<typeof EventDelivery>;

const LIST_EVENT_DELIVERIES = plannedStatement(
  "list-event-deliveries",
  `select d.id, ${deliveryState("d")} as "status!: DeliveryState", d.run_at, d.replay_id, d.subscription_id,
    s.target_url, s.version
  from webhook_deliveries d
  join webhook_subscriptions s on s.account_id = d.account_id and s.id = d.subscription_id
  where d.account_id = :accountId and d.event_seq = :eventSeq
  order by d.subscription_id, d.created_at`,
);

/** The deliveries of one event of the account with their attempts: oldest subscription first, replays last. */
export async function listEventDeliveries(
  ctx: Context,
  event: Pick<LoggedEvent, "seq" | "id" | "type">,
): Promise<EventDelivery[]> {
  const rows = await sql.run(LIST_EVENT_DELIVERIES, { accountId: ctx.account.id, eventSeq: event.seq });
  const attempts = await prisma().webhookAttempt.findMany({
    where: { accountId: ctx.account.id, eventSeq: event.seq, deliveryId: { in: rows.map(({ id }) => id) } },
    orderBy: { number: "asc" },
  });
  const byDelivery = Map.groupBy(attempts, ({ deliveryId }) => deliveryId);
  return rows.map(({ run_at, ...delivery }) => ({
    ...delivery,
    next_attempt_at: run_at?.toISOString() ?? null,
    attempts: (byDelivery.get(delivery.id) ?? []).map((row) =>
      toRecordedAttempt(row, originOf({ event, subscription: { id: delivery.subscription_id } })),
    ),
  }));
}
