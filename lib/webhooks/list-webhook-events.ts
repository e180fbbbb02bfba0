import "server-only";
import { z } from "zod";
import { EVENT_TYPES } from "@/lib/events/event-types";
import { contract } from "@/lib/platform/contract";
import { docsUrl } from "@/lib/platform/env";

export const ListWebhookEvents = contract({
  summary: "List webhook event types",
  description: "Returns every event type that you can subscribe to.",
  tag: "Webhooks",
  right: "view_webhooks",
  returns: z.object({
    events: z
      .array(z.string())
      .meta({ description: "Event types.", examples: [["message.sent", "message.received"]] }),
    doc_url: z.url().meta({
      description: "URL of the event documentation.",
      examples: ["https://docs.example.com/guides/webhooks/events"],
    }),
  }),
  status: 200,
  errors: [],
});

/** Every event type of the catalog (contract.md 1.11). */
export async function listWebhookEvents() {
  return { events: EVENT_TYPES, doc_url: `${docsUrl()}/guides/webhooks/events` };
}
