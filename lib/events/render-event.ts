import "server-only";
import { z } from "zod";
import { EVENT_TYPES, type EventType, eventKind } from "@/lib/events/catalog";
import type { Payload } from "@/lib/events/payload";
import { WEBHOOK_VERSIONS, WebhookVersion } from "@/lib/events/webhook-version";

const API_VERSION = "v3";

/** What rendering needs of a stored event (lib/events/logged-event.ts). */
interface RenderableEvent {
  id: string;
  type: string;
  traceId: string;
  createdAt: Date;
  /** That of the delivery it is rendered for. */
  sequence?: number;
  /** The facts of the moment. */
  data: unknown;
}

/**
 * What a webhook posts: the same on every attempt, and but for `sequence` to every subscription of a version (contract.md
 * 4.1).
 */
export const WebhookEnvelope = z.object({
  api_version: z.literal(API_VERSION),
  webhook_version: WebhookVersion,
  event_type: z.string(),
  event_id: z.uuid(),
  created_at: z.iso.datetime(),
  trace_id: z.string().regex(/^[0-9a-f]{32}$/),
  partner_id: z.uuid(),
  /** Ours: absent where a payload is shown apart from a delivery, as in the event log. */
  sequence: z
    .int()
    .min(1)
    .optional()
    .describe(
      "Numbers the deliveries of one subscription per chat, without gaps, in the order of the events.",
    ),
  data: z.unknown(),
});

export type WebhookEnvelope = z.infer<typeof WebhookEnvelope>;

/** Renders an event in one version. Throws for types without a payload and for facts that are not the event's. */
export function renderEvent(
  event: RenderableEvent,
  partnerId: string,
  version: WebhookVersion,
): WebhookEnvelope {
  const payload = eventKind(event.type)?.payload ?? null;
  if (payload === null) throw new Error(`events of type ${event.type} have no payload`);
  return {
    api_version: API_VERSION,
    webhook_version: version,
    event_type: event.type,
    event_id: event.id,
    created_at: event.createdAt.toISOString(),
    trace_id: event.traceId,
    partner_id: partnerId,
    ...(event.sequence === undefined ? {} : { sequence: event.sequence }),
    data: payload.render(version, event.data),
  };
}

/** The zod schema of what a webhook posts for a type, in one version. */
export function envelopeSchema(type: string, payload: Payload, version: WebhookVersion): z.ZodType {
  return WebhookEnvelope.extend({
    webhook_version: z.literal(version),
    event_type: z.literal(type),
    data: payload.schemas[version],
  });
}

/** A type's envelope with example data; null for types that nothing causes yet. */
export function exampleEvent(type: EventType, version: WebhookVersion): WebhookEnvelope | null {
  const payload = eventKind(type)?.payload ?? null;
  if (payload === null) return null;
  const event = {
    id: "019ca9c2-9c40-7f86-9a55-70b162930415",
    type,
    traceId: "4bf92f3577b34da6a3ce929d0e0e4736",
    createdAt: new Date("2026-03-01T12:00:09.000Z"),
    data: payload.example,
  };
  return renderEvent(event, "019ca9c0-0000-7000-8000-5a1f0c9e2b34", version);
}

/** All types that can be caused, with the schema of either version and an example of the newest: for openapi.json. */
export function describeWebhooks() {
  return EVENT_TYPES.flatMap((type) => {
    const kind = eventKind(type);
    if (kind?.payload == null) return [];
    const { payload, summary } = kind;
    const [old, current] = WEBHOOK_VERSIONS;
    const schemas = [envelopeSchema(type, payload, old), envelopeSchema(type, payload, current)] as const;
    return [{ type, summary, payload: z.union(schemas), example: exampleEvent(type, current) }];
  });
}
