import "server-only";
import { z } from "zod";
import { EVENT_TYPES, eventVersions } from "@/lib/events/catalog";
import {
  eventConditionFields,
  indexedConditions,
  jsonPathCondition,
  Parameters,
} from "@/lib/events/event-conditions";
import type { WebhookVersion } from "@/lib/events/webhook-version";
import type { Sql, Statement } from "@/lib/platform/db";

/** How many events one replay takes: more are several replays, of less time each. */
export const REPLAYED_MOST = 100_000;

/**
 * Which events are posted once more to a subscription. `failed` and `skipped` are those it has never got since;
 * `never_owed` are those it would have been owed, had it been there with its events and lines of today.
 */
export const ReplayFilter = z.object({
  statuses: z.array(z.enum(["delivered", "failed", "skipped", "never_owed"])).min(1),
  types: z.array(z.enum(EVENT_TYPES)).default([]),
  ...eventConditionFields,
});

export type ReplayFilter = z.output<typeof ReplayFilter>;

/** What of a subscription says which events it may be sent. */
export interface ReplayTarget {
  accountId: string;
  id: string;
  version: WebhookVersion;
  subscribedEvents: readonly string[];
  phoneNumbers: readonly string[];
}

/** `select seq, created_at` of the events a filter takes. Errors: parameter_invalid for a JSON path that is not valid. */
export async function filteredEvents(
  tx: Sql,
  target: ReplayTarget,
  filter: ReplayFilter,
): Promise<Statement & { values: unknown[] }> {
  const parameters = new Parameters();
  const conditions = [
    ...indexedConditions(parameters, target.accountId, filter),
    // What its version does not have cannot be rendered for it.
    `e.type = any(${parameters.add(typesOf(target.version))}::text[])`,
    `(${standings(parameters, target, filter).join(" or ")})`,
    ...(await jsonPathCondition(tx, parameters, filter)),
  ];
  return {
    text: `select e.seq, e.created_at from events e where ${conditions.join(" and ")}`,
    values: parameters.values,
  };
}

function typesOf(version: WebhookVersion): string[] {
  return EVENT_TYPES.filter((type) => eventVersions(type).includes(version));
}

function standings(parameters: Parameters, target: ReplayTarget, { statuses }: ReplayFilter): string[] {
  const owed = statuses.filter((status) => status !== "never_owed");
  const found = owed.length === 0 ? [] : [wasOwed(parameters, target, owed)];
  return statuses.includes("never_owed") ? [...found, neverOwed(parameters, target)] : found;
}

// An event that failed and was replayed since has several deliveries: one that got there, or still may, counts.
function wasOwed(parameters: Parameters, target: ReplayTarget, statuses: readonly string[]): string {
  const [account, id] = [parameters.add(target.accountId), parameters.add(target.id)];
  const wanted = statuses.map((status) => `d.status = '${status}'`).join(" or ");
  return `e.seq in (
    select d.event_seq from webhook_deliveries d
    where d.account_id = ${account} and d.subscription_id = ${id} and (${wanted}) and (
      d.status = 'delivered' or not exists (
        select 1 from webhook_deliveries o
        where o.account_id = d.account_id and o.event_seq = d.event_seq and o.subscription_id = d.subscription_id
          and o.status in ('delivered', 'waiting'))))`;
}

function neverOwed(parameters: Parameters, target: ReplayTarget): string {
  const [account, id] = [parameters.add(target.accountId), parameters.add(target.id)];
  const conditions = [
    `e.type = any(${parameters.add(target.subscribedEvents)}::text[])`,
    `not exists (select 1 from webhook_deliveries d
      where d.account_id = ${account} and d.event_seq = e.seq and d.subscription_id = ${id})`,
  ];
  if (target.phoneNumbers.length > 0) {
    conditions.push(`(e.line_id is null or e.line_id in (
      select l.id from lines l
      where l.account_id = ${account} and l.phone_number = any(${parameters.add(target.phoneNumbers)}::text[])))`);
  }
  return `(${conditions.join(" and ")})`;
}
