import "server-only";
import { z } from "zod";
import { EVENT_TYPES, eventVersions } from "@/lib/events/catalog/event-types";
import type { WebhookVersion } from "@/lib/events/catalog/webhook-version";
import {
  eventConditionFields,
  indexedConditions,
  jsonPathCondition,
  Parameters,
} from "@/lib/events/store/event-conditions";
import type { Sql, SqlText } from "@/lib/platform/database/db";

/** Maximum number of events in one replay. Larger selections need several replays. */
export const MAX_REPLAYED = 100_000;

/**
 * Selects the events to deliver again to a subscription. `failed` and `skipped` select events it has not received
 * since. `never_owed` selects events it would have received if it had existed then with its current events and lines.
 */
export const ReplayFilter = z.object({
  statuses: z
    .array(z.enum(["delivered", "failed", "skipped", "never_owed"]))
    .min(1)
    .describe(
      "Statuses of the events for this subscription. `failed` and `skipped` select events that it has not received since, `never_owed` events that it would have received if it had existed then.",
    ),
  types: z.array(z.enum(EVENT_TYPES)).default([]).describe("Event types. Empty selects all types."),
  ...eventConditionFields,
});

export type ReplayFilter = z.output<typeof ReplayFilter>;

/** The properties of a subscription that determine its events. */
export interface ReplayTarget {
  accountId: string;
  id: string;
  version: WebhookVersion;
  subscribedEvents: readonly string[];
  phoneNumbers: readonly string[];
}

/** `select seq, created_at` of the events that a filter selects. Errors: parameter_invalid for an invalid JSON path. */
export async function filteredEvents(
  tx: Sql,
  target: ReplayTarget,
  filter: ReplayFilter,
): Promise<SqlText & { values: unknown[] }> {
  const parameters = new Parameters();
  const conditions = [
    ...indexedConditions(parameters, target.accountId, filter),
    // Types that the subscription's version lacks can't be rendered for it.
    `e.type = any(${parameters.add(typesOfVersion(target.version))}::text[])`,
    `(${statusesOf(parameters, target, filter).join(" or ")})`,
    ...(await jsonPathCondition(tx, parameters, filter)),
  ];
  return {
    text: `select e.seq, e.created_at from events e where ${conditions.join(" and ")}`,
    values: parameters.values,
  };
}

/** Whether a filter selects every event that was skipped, at any time. */
export function coversSkipped({ statuses, types, ...conditions }: ReplayFilter): boolean {
  const isNarrowed =
    types.length > 0 || Object.values(conditions).some((condition) => condition !== undefined);
  return statuses.includes("skipped") && !isNarrowed;
}

/** The event types that a payload version can render. */
export function typesOfVersion(version: WebhookVersion): string[] {
  return EVENT_TYPES.filter((type) => eventVersions(type).includes(version));
}

function statusesOf(parameters: Parameters, target: ReplayTarget, { statuses }: ReplayFilter): string[] {
  const deliveries = deliveriesOf(parameters, target);
  const unsent = statuses.filter((status) => status === "failed" || status === "skipped");
  const wanted: string[] = [];
  if (statuses.includes("delivered")) wanted.push(`exists (${deliveries} and d.status = 'delivered')`);
  // A replayed event has several deliveries. One that succeeded or is still pending is enough.
  if (unsent.length > 0) {
    const isUnsent = unsent.map((status) => `d.status = '${status}'`).join(" or ");
    wanted.push(`(exists (${deliveries} and (${isUnsent}))
      and not exists (${deliveries} and (d.status = 'delivered' or d.status = 'waiting')))`);
  }
  if (statuses.includes("never_owed")) {
    wanted.push(`(${isWanted(parameters, target)} and not exists (${deliveries}))`);
  }
  return wanted;
}

// `is true` hides the subscription from the planner, which must look up an event's few deliveries by event instead of
// scanning all deliveries of the subscription for each event.
function deliveriesOf(parameters: Parameters, target: ReplayTarget): string {
  return `select 1 from webhook_deliveries d where d.account_id = ${parameters.add(target.accountId)}
    and d.event_seq = e.seq and (d.subscription_id = ${parameters.add(target.id)}) is true`;
}

/** The condition that an event matches the subscription's current settings. */
function isWanted(
  parameters: Parameters,
  { accountId, id, phoneNumbers, subscribedEvents }: ReplayTarget,
): string {
  const isOwn = `(e.type <> 'chat.turn' or coalesce(e.data ->> 'subscription_id', ${parameters.add(id)}) = ${parameters.add(id)})`;
  const isSubscribed = `e.type = any(${parameters.add(subscribedEvents)}::text[]) and ${isOwn}`;
  if (phoneNumbers.length === 0) return isSubscribed;
  return `${isSubscribed} and (e.line_id is null or e.line_id in (
    select l.id from lines l where l.account_id = ${parameters.add(accountId)}
      and l.phone_number = any(${parameters.add(phoneNumbers)}::text[])))`;
}
