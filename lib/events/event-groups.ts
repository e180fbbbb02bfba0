import "server-only";
import { EVENT_KINDS, EVENT_TYPES } from "@/lib/events/event-types";

/** A group of event types in a filter or subscription form. */
export interface EventGroupChoice {
  group: string;
  events: { type: string; summary: string }[];
}

/** All event types that are sent, by group, in catalog order. */
export function listEventGroups(): EventGroupChoice[] {
  const sent = EVENT_TYPES.filter((type) => !EVENT_KINDS[type].neverSent);
  const byGroup = Map.groupBy(sent, (type) => EVENT_KINDS[type].group);
  return [...byGroup].map(([group, types]) => ({
    group,
    events: types.map((type) => ({ type, summary: EVENT_KINDS[type].summary })),
  }));
}
