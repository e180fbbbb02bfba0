import "server-only";
import type { z } from "zod";
import type { EventType } from "@/lib/events/catalog/event-types";
import type { Payload } from "@/lib/events/catalog/payload";

/** An event type and the data stored with it. */
export interface StoredEventType<Type extends string = string, Data extends z.ZodType = z.ZodType> {
  type: Type;
  /** Not listed to partners and not delivered; only for timelines. */
  internal: boolean;
  data: Data;
}

/** The data stored with an event of a type. */
export type EventData<Definition extends StoredEventType> = z.input<Definition["data"]>;

/** An event type that partners receive, with its payload in each version. */
export interface EventDefinition<Type extends EventType = EventType, Kind extends Payload = Payload>
  extends StoredEventType<Type, Kind["data"]> {
  internal: false;
  payload: Kind;
}

type Definitions<Payloads> = {
  [Type in keyof Payloads & EventType]: Payloads[Type] extends Payload
    ? EventDefinition<Type, Payloads[Type]>
    : never;
};

/** Defines the events of a domain: the data and payloads of its types in lib/events/catalog/event-types.ts. */
export function defineEvents<const Payloads extends { readonly [Type in EventType]?: Payload }>(
  payloads: Payloads,
): Definitions<Payloads> {
  const definitions = Object.entries<Payload>(payloads).map(([type, payload]) => [
    type,
    { type, internal: false, data: payload.data, payload },
  ]);
  return Object.fromEntries(definitions);
}

/** Defines an event that only timelines and the dashboard show. */
export function defineInternalEvent<const Type extends string, Data extends z.ZodType>(
  type: Type,
  data: Data,
): StoredEventType<Type, Data> {
  return { type, internal: true, data };
}
