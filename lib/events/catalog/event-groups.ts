import "server-only";
import { EVENT_KINDS, EVENT_TYPES, type EventType } from "@/lib/events/catalog/event-types";

/** A group of event types in a filter or subscription form. */
export interface EventGroupChoice {
  group: string;
  events: { type: string; summary: string }[];
}

/** All event types that are sent, by group, in catalog order. */
export function listEventGroups(): EventGroupChoice[] {
  return groupsOf(EVENT_TYPES.filter((type) => !EVENT_KINDS[type].neverSent));
}

/** All event types that a subscription accepts. The summary of a reserved one says that it is never sent. */
export function listSubscribableGroups(): EventGroupChoice[] {
  return groupsOf(EVENT_TYPES);
}

function groupsOf(eventTypes: readonly EventType[]): EventGroupChoice[] {
  const byGroup = Map.groupBy(eventTypes, (type) => EVENT_KINDS[type].group);
  return [...byGroup].map(([group, types]) => ({
    group,
    events: types.map((type) => ({ type, summary: EVENT_KINDS[type].summary })),
  }));
}
