import "server-only";
import { type Change, emitAccountEvent } from "@/lib/events/store/emit-account-event";
import type { Sql } from "@/lib/platform/database/db";
import { SUBSCRIPTION_EVENTS } from "@/lib/webhooks/subscriptions/subscription-events";
import type { SubscriptionRow } from "@/lib/webhooks/subscriptions/webhook-subscription";
import { withoutQuery } from "@/lib/webhooks/targets/webhook-target";

/** A subscription in account events. */
export function subscriptionRef({ id, targetUrl }: Pick<SubscriptionRow, "id" | "targetUrl">) {
  return { id, target_url: withoutQuery(targetUrl) };
}

/** Emits one account event per changed setting (docs/contract.md, section 12.6). */
export async function emitSubscriptionChanges(
  tx: Sql,
  changeContext: Change,
  before: SubscriptionRow,
  after: SubscriptionRow,
): Promise<void> {
  const webhook_subscription = subscriptionRef(after);
  if (before.targetUrl !== after.targetUrl) {
    const change = { from: withoutQuery(before.targetUrl), to: withoutQuery(after.targetUrl) };
    await emitAccountEvent(
      tx,
      changeContext,
      SUBSCRIPTION_EVENTS["webhook_subscription.target_url_changed"],
      {
        webhook_subscription,
        change,
      },
    );
  }
  if (!isSame(before.subscribedEvents, after.subscribedEvents)) {
    const change = { from: before.subscribedEvents, to: after.subscribedEvents };
    await emitAccountEvent(tx, changeContext, SUBSCRIPTION_EVENTS["webhook_subscription.events.updated"], {
      webhook_subscription,
      change,
    });
  }
  if (!isSame(before.phoneNumbers, after.phoneNumbers)) {
    const change = { from: orAll(before.phoneNumbers), to: orAll(after.phoneNumbers) };
    await emitAccountEvent(
      tx,
      changeContext,
      SUBSCRIPTION_EVENTS["webhook_subscription.phone_numbers.updated"],
      {
        webhook_subscription,
        change,
      },
    );
  }
  await emitRoutingChange(tx, changeContext, before, after);
  if (after.isActive && !before.isActive) {
    await emitAccountEvent(tx, changeContext, SUBSCRIPTION_EVENTS["webhook_subscription.enabled"], {
      webhook_subscription,
    });
  }
  if (before.isActive && !after.isActive) {
    const reason = "manual";
    await emitAccountEvent(tx, changeContext, SUBSCRIPTION_EVENTS["webhook_subscription.disabled"], {
      webhook_subscription,
      reason,
    });
  }
}

/**
 * Emits an event when delivery affinity is set, changed or cleared. An id header alone has no effect and emits nothing.
 */
export async function emitRoutingChange(
  tx: Sql,
  changeContext: Change,
  before: SubscriptionRow,
  after: SubscriptionRow,
): Promise<void> {
  const change = { from: routingOf(before), to: routingOf(after) };
  if (JSON.stringify(change.from) === JSON.stringify(change.to)) return;
  const type = `webhook_subscription.routing_headers_${change.to === null ? "cleared" : "set"}` as const;
  await emitAccountEvent(tx, changeContext, SUBSCRIPTION_EVENTS[type], {
    webhook_subscription: subscriptionRef(after),
    change,
  });
}

function routingOf({ routingKeyHeader, routingIdHeader }: SubscriptionRow) {
  if (routingKeyHeader === null) return null;
  return { routing_key_header: routingKeyHeader, routing_id_header: routingIdHeader };
}

// Compares lists as sets: a different order is not a change.
function isSame(left: readonly string[], right: readonly string[]): boolean {
  return left.toSorted().join() === right.toSorted().join();
}

function orAll(phoneNumbers: string[]): string[] | null {
  return phoneNumbers.length === 0 ? null : phoneNumbers;
}
