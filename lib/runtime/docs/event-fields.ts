import "server-only";
import { z } from "zod";
import type { EventType } from "@/lib/events/catalog/event-types";
import type { WebhookVersion } from "@/lib/events/catalog/webhook-version";
import { type DocumentedField, fieldsOf } from "@/lib/runtime/docs/fields-of";
import { EVENT_CATALOG } from "@/lib/runtime/wiring/event-catalog";

/** The fields of an event's `data` in a payload version. */
export function eventFields(type: EventType, version: WebhookVersion): DocumentedField[] {
  const schema = z.toJSONSchema(EVENT_CATALOG[type].payload.schemas[version], {
    io: "output",
    unrepresentable: "any",
  });
  const definitions = (schema.$defs ?? {}) as Record<string, Record<string, unknown>>;
  return fieldsOf(schema, definitions);
}
