import "server-only";
import { z } from "zod";
import { findPayload, payloadOf } from "@/lib/events/catalog/event-registry";
import { EVENT_KINDS, EVENT_TYPES, type EventType, eventVersions } from "@/lib/events/catalog/event-types";
import { EXAMPLE_PARTNER_ID } from "@/lib/events/catalog/example-data";
import { WebhookVersion } from "@/lib/events/catalog/webhook-version";

const API_VERSION = "v3";
const NEWEST = "2026-02-03";

/** The columns of a stored event that rendering needs (lib/events/store/logged-event.ts). */
interface RenderableEvent {
  id: string;
  type: string;
  traceId: string;
  createdAt: Date;
  /** The sequence number of the delivery that the event is rendered for. */
  sequence?: number;
  /** The data that was stored with the event. */
  data: unknown;
}

/**
 * The body of a webhook, which is the same on every attempt and, except for `sequence`, for every subscription of a
 * version (docs/contract.md, section 12.3).
 */
export const WebhookEnvelope = z.object({
  api_version: z.literal(API_VERSION).describe("Version of the API. Always `v3`."),
  webhook_version: WebhookVersion,
  event_type: z.string().describe("Type of the event."),
  event_id: z
    .uuid()
    .describe(
      "ID of the event, the same on every attempt and for every subscription. An event can be delivered more than once: use this ID to discard duplicates.",
    ),
  created_at: z.iso.datetime().describe("When the event occurred."),
  trace_id: z
    .string()
    .regex(/^[0-9a-f]{32}$/)
    .describe("Trace ID, the same as `X-Trace-ID` of the request that caused the event."),
  partner_id: z.uuid().describe("ID of your partner organization."),
  sequence: z
    .int()
    .min(1)
    .optional()
    .describe(
      "Position of the event in its chat for this subscription. Increases without gaps. A Trunkline extension.",
    ),
  data: z.unknown().describe("Data of the event, by type and payload version."),
});

export type WebhookEnvelope = z.infer<typeof WebhookEnvelope>;

/**
 * Renders an event in one version. Throws for internal types, for a version before the type's first, and for data that
 * does not match the type.
 */
export function renderEvent(
  event: RenderableEvent,
  partnerId: string,
  version: WebhookVersion,
): WebhookEnvelope {
  const payload = findPayload(event.type);
  if (payload === null) throw new Error(`events of type ${event.type} have no payload`);
  if (!eventVersions(event.type).includes(version)) {
    throw new Error(`version ${version} has no events of type ${event.type}`);
  }
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

/** The zod schema of the webhook body for a type in the given versions, which must share a format. */
export function envelopeSchema(type: EventType, versions: [WebhookVersion, ...WebhookVersion[]]): z.ZodType {
  return WebhookEnvelope.extend({
    webhook_version: z.literal(versions).describe("Version of the webhook payload."),
    event_type: z.literal(type).describe("Type of the event."),
    data: payloadOf(type).schemas[versions[0]].describe(EVENT_KINDS[type].summary),
  });
}

/** A type's envelope with example data; null when the version lacks the type. */
export function exampleEvent(type: EventType, version: WebhookVersion): WebhookEnvelope | null {
  if (!eventVersions(type).includes(version)) return null;
  const event = {
    id: "019ca9c2-9c40-7f86-9a55-70b162930415",
    type,
    traceId: "4bf92f3577b34da6a3ce929d0e0e4736",
    createdAt: new Date("2026-03-01T12:00:09.000Z"),
    sequence: 7,
    data: payloadOf(type).example,
  };
  return renderEvent(event, EXAMPLE_PARTNER_ID, version);
}

/** All types with the schema of each version and an example in the newest one, for openapi.json. */
export function describeWebhooks() {
  return EVENT_TYPES.map((type) => {
    const { group, summary, neverSent } = EVENT_KINDS[type];
    return {
      type,
      group,
      summary,
      description: describeEvent(type),
      neverSent,
      payload: anyVersion(type),
      example: exampleEvent(type, NEWEST),
    };
  });
}

function describeEvent(type: EventType): string {
  const { summary, neverSent } = EVENT_KINDS[type];
  if (neverSent) return `${summary} A subscription may list this type.`;
  return `${summary} Sent in payload version ${eventVersions(type).join(" and ")}.`;
}

function anyVersion(type: EventType): z.ZodType {
  const { schemas } = payloadOf(type);
  const [first, ...later] = eventVersions(type);
  if (first === undefined) throw new Error(`no version has ${type}`);
  const same = later.every((version) => schemas[version] === schemas[first]);
  if (same) return envelopeSchema(type, [first, ...later]);
  return z.union([first, ...later].map((version) => envelopeSchema(type, [version])));
}
