import "server-only";
import { EVENT_KINDS, EVENT_TYPES } from "@/lib/events/event-types";

/** Events of one kind, as a reader chooses from them. */
export interface EventGroupChoice {
  group: string;
  events: { type: string; summary: string }[];
}

/** The event types that are ever sent, by group, in the order of the catalog. */
export function listEventGroups(): EventGroupChoice[] {
  const sent = EVENT_TYPES.filter((type) => !EVENT_KINDS[type].neverSent);
  const byGroup = Map.groupBy(sent, (type) => EVENT_KINDS[type].group);
  return [...byGroup].map(([group, types]) => ({
    group,
    events: types.map((type) => ({ type, summary: EVENT_KINDS[type].summary })),
  }));
}
