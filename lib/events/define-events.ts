import "server-only";
import type { z } from "zod";
import type { EventType } from "@/lib/events/event-types";
import type { Payload } from "@/lib/events/payload";

/** A type of event and what is stored with it. */
export interface StoredEventType<Type extends string = string, Data extends z.ZodType = z.ZodType> {
  type: Type;
  /** Never listed to partners, never delivered: for timelines. */
  internal: boolean;
  data: Data;
}

/** The data stored with an event of a type. */
export type EventData<Definition extends StoredEventType> = z.input<Definition["data"]>;

/** A type that partners get, with its payload in each version. */
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

/** Defines the events of a domain: for each type of lib/events/event-types.ts, its data and its payloads. */
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
