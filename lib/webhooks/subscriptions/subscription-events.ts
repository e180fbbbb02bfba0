import "server-only";
import { z } from "zod";
import { accountPayload, changePayload } from "@/lib/events/catalog/account-payload";
import { defineEvents } from "@/lib/events/catalog/define-events";

const SubscriptionRef = z.object({
  id: z.uuid().describe("ID of the webhook subscription."),
  target_url: z.string().describe("Target URL without credentials, query string and fragment."),
});

const SubscriptionObjects = z.object({
  webhook_subscription: SubscriptionRef.describe("The webhook subscription."),
});

const EXAMPLE = {
  webhook_subscription: {
    id: "019ca9c0-3000-70fd-85cc-f8394a5b6c7d",
    target_url: "https://hooks.example.com/trunkline",
  },
};

const EVENTS = ["message.received", "message.failed"];

/**
 * `data` of webhook_subscription.created, the only subscription event with the event types
 * (docs/contract.md, section 12.6).
 */
const subscriptionCreatedPayload = accountPayload({
  objects: z.object({
    webhook_subscription: SubscriptionRef.extend({
      events: z.array(z.string()).describe("Subscribed event types."),
    }).describe("The webhook subscription."),
  }),
  sentence: ({ webhook_subscription }, by) => `${named(webhook_subscription)} was created ${by}.`,
  example: { webhook_subscription: { ...EXAMPLE.webhook_subscription, events: EVENTS } },
});

/** `data` of webhook_subscription.deleted and enabled; `done` completes "The webhook subscription … was". */
function subscriptionPayload(done: string) {
  return accountPayload({
    objects: SubscriptionObjects,
    sentence: ({ webhook_subscription }, by) => `${named(webhook_subscription)} was ${done} ${by}.`,
    example: EXAMPLE,
  });
}

/** The reason in the event's summary why a subscription is not active. */
const DISABLED_BECAUSE = {
  manual: "",
  gone: " because the endpoint returned 410 twice",
  failing: " because all attempts failed for five days",
};

/** `data` of webhook_subscription.disabled. */
const subscriptionDisabledPayload = accountPayload({
  objects: SubscriptionObjects.extend({
    reason: z
      .enum(["manual", "gone", "failing"])
      .describe(
        "Reason for the change. `manual`: paused by a user or the API. `gone`: the endpoint returned 410 twice, at least one hour apart. `failing`: every attempt failed for five days.",
      ),
  }),
  sentence: ({ webhook_subscription, reason }, by) =>
    `${named(webhook_subscription)} was disabled ${by}${DISABLED_BECAUSE[reason]}.`,
  example: { ...EXAMPLE, reason: "failing" },
});

/** `data` of webhook_subscription.target_url_changed. Both URLs are without credentials, query and fragment. */
const subscriptionTargetPayload = accountPayload({
  objects: SubscriptionObjects.extend({
    change: changePayload(z.string()).describe(
      "Change of the target URL, without credentials, query string and fragment.",
    ),
  }),
  sentence: (_, by) => `The target URL of a webhook subscription was changed ${by}.`,
  example: {
    ...EXAMPLE,
    change: { from: "https://old.example.com/trunkline", to: EXAMPLE.webhook_subscription.target_url },
  },
});

/** `data` of webhook_subscription.events.updated. */
const subscriptionEventsPayload = accountPayload({
  objects: SubscriptionObjects.extend({
    change: changePayload(z.array(z.string())).describe("Change of the subscribed event types."),
  }),
  sentence: ({ webhook_subscription }, by) =>
    `The events of ${named(webhook_subscription, "the")} were changed ${by}.`,
  example: { ...EXAMPLE, change: { from: ["message.received"], to: EVENTS } },
});

/** `data` of webhook_subscription.phone_numbers.updated; null = all lines. */
const subscriptionLinesPayload = accountPayload({
  objects: SubscriptionObjects.extend({
    change: changePayload(z.array(z.string()).nullable()).describe(
      "Change of the lines; `null` for all lines.",
    ),
  }),
  sentence: ({ webhook_subscription }, by) =>
    `The lines of ${named(webhook_subscription, "the")} were changed ${by}.`,
  example: { ...EXAMPLE, change: { from: null, to: ["+12025550100"] } },
});

const RoutingHeaders = z.object({
  routing_key_header: z
    .string()
    .nullable()
    .describe("Name of the header that carries the routing token; `null` if delivery affinity is off."),
  routing_id_header: z
    .string()
    .nullable()
    .describe("Name of the header that carries the chat ID; `null` for the default."),
});

/** `data` of webhook_subscription.routing_headers_set and routing_headers_cleared. */
function routingHeadersPayload(done: "set" | "cleared") {
  const headers = { routing_key_header: "x-route", routing_id_header: "x-chat" };
  return accountPayload({
    objects: SubscriptionObjects.extend({
      change: changePayload(RoutingHeaders.nullable()).describe("Change of the routing headers."),
    }),
    sentence: ({ webhook_subscription }, by) =>
      `The routing headers of ${named(webhook_subscription, "the")} were ${done} ${by}.`,
    example: {
      ...EXAMPLE,
      change: done === "set" ? { from: null, to: headers } : { from: headers, to: null },
    },
  });
}

function named({ target_url }: z.infer<typeof SubscriptionRef>, article = "The"): string {
  return `${article} webhook subscription to ${target_url}`;
}

export const SUBSCRIPTION_EVENTS = defineEvents({
  "webhook_subscription.created": subscriptionCreatedPayload,
  "webhook_subscription.deleted": subscriptionPayload("deleted"),
  "webhook_subscription.target_url_changed": subscriptionTargetPayload,
  "webhook_subscription.enabled": subscriptionPayload("enabled"),
  "webhook_subscription.disabled": subscriptionDisabledPayload,
  "webhook_subscription.events.updated": subscriptionEventsPayload,
  "webhook_subscription.phone_numbers.updated": subscriptionLinesPayload,
  "webhook_subscription.routing_headers_set": routingHeadersPayload("set"),
  "webhook_subscription.routing_headers_cleared": routingHeadersPayload("cleared"),
});
