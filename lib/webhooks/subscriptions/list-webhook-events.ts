import "server-only";
import { z } from "zod";
import { EVENT_KINDS, EVENT_TYPES } from "@/lib/events/catalog/event-types";
import { contract } from "@/lib/platform/contract";
import { docsUrl } from "@/lib/platform/env";

export const ListWebhookEvents = contract({
  summary: "List webhook event types",
  description:
    "Returns every event type that you can subscribe to. Some are reserved and never sent: `catalog` marks them with `reserved: true`.",
  tag: "Webhooks",
  right: "view_webhooks",
  returns: z.object({
    events: z
      .array(z.string())
      .meta({ description: "Event types.", examples: [["message.sent", "message.received"]] }),
    catalog: z
      .array(
        z.object({
          event_type: z.string().describe("Event type."),
          summary: z.string().describe("When the event is sent."),
          reserved: z.boolean().describe("`true`: subscriptions accept the type, but it is never sent."),
          opt_in: z
            .literal(true)
            .optional()
            .describe("`true`: a stream of events must name the type to receive it. Absent otherwise."),
        }),
      )
      .meta({
        description: "The same event types with their descriptions. A Trunkline extension.",
        examples: [[{ event_type: "message.sent", summary: "A message was sent.", reserved: false }]],
      }),
    doc_url: z.url().meta({
      description: "URL of the event documentation.",
      examples: ["https://docs.example.com/guides/webhooks/events"],
    }),
  }),
  status: 200,
  errors: [],
});

/** Every event type of the catalog (docs/contract.md, section 12.4), with the reserved ones marked. */
export async function listWebhookEvents() {
  const catalog = EVENT_TYPES.map((type) => {
    const { summary, neverSent, isOptIn } = EVENT_KINDS[type];
    return { event_type: type, summary, reserved: neverSent, ...(isOptIn && { opt_in: true as const }) };
  });
  return { events: EVENT_TYPES, catalog, doc_url: `${docsUrl()}/guides/webhooks/events` };
}
