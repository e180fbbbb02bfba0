import "server-only";
import { z } from "zod";
import { EVENTS, type EventType } from "@/lib/events/catalog";
import type { WebhookVersion } from "@/lib/events/webhook-version";
import { type DocumentedField, fieldsOf } from "@/lib/runtime/docs/fields-of";

/** The fields of an event's `data` in a payload version. */
export function eventFields(type: EventType, version: WebhookVersion): DocumentedField[] {
  const schema = z.toJSONSchema(EVENTS[type].payload.schemas[version], {
    io: "output",
    unrepresentable: "any",
  });
  const definitions = (schema.$defs ?? {}) as Record<string, Record<string, unknown>>;
  return fieldsOf(schema, definitions);
}
