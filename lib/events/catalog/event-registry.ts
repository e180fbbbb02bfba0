import "server-only";
import type { EventDefinition } from "@/lib/events/catalog/define-events";
import { type EventType, isEventType } from "@/lib/events/catalog/event-types";
import type { Payload } from "@/lib/events/catalog/payload";

/** The definitions of all event types. */
export type EventCatalog = { readonly [Type in EventType]: EventDefinition<Type> };

const shared = globalThis as typeof globalThis & { trunklineEvents?: EventCatalog };

/**
 * Registers the payloads for the code that renders events. Every process calls it at its start (lib/runtime/wiring).
 */
export function registerEvents(catalog: EventCatalog): void {
  shared.trunklineEvents = catalog;
}

/** The payload of a type. Throws when no events were registered. */
export function payloadOf(type: EventType): Payload {
  const { trunklineEvents } = shared;
  if (trunklineEvents === undefined) {
    throw new Error(
      "no event payloads are registered: call registerDependencies() of lib/runtime/wiring at the start",
    );
  }
  return trunklineEvents[type].payload;
}

/** Like `payloadOf`; null for the type of an internal event. */
export function findPayload(type: string): Payload | null {
  return isEventType(type) ? payloadOf(type) : null;
}
