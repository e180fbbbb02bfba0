import "server-only";
import { z } from "zod";
import { EVENT_CATALOG } from "@/lib/docs/reference/event-catalog";
import { type DocumentedField, fieldsOf } from "@/lib/docs/reference/fields-of";
import type { EventType } from "@/lib/events/catalog/event-types";
import type { WebhookVersion } from "@/lib/events/catalog/webhook-version";

/** The fields of an event's `data` in a payload version. */
export function eventFields(type: EventType, version: WebhookVersion): DocumentedField[] {
  const schema = z.toJSONSchema(EVENT_CATALOG[type].payload.schemas[version], {
    io: "output",
    unrepresentable: "any",
  });
  const definitions = (schema.$defs ?? {}) as Record<string, Record<string, unknown>>;
  return fieldsOf(schema, definitions);
}
