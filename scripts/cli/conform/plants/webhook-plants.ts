import { randomUUID } from "node:crypto";
import { signWebhook } from "@/lib/webhooks/signing/sign-webhook";
import { inSuccess } from "@/scripts/cli/conform/plants/change-operation";
import type { Plant, ProxiedWebhook } from "@/scripts/cli/conform/plants/planting-proxy";

const isEvent = ({ headers, version }: ProxiedWebhook, type: string, wanted: string) =>
  headers["x-webhook-event"] === type && version === wanted;

/** Signs a webhook like the server does. */
function sign(webhook: ProxiedWebhook, secret: string): void {
  const { headers, body } = webhook;
  const signable = {
    subscriptionId: headers["x-webhook-subscription-id"] ?? "",
    eventId: headers["webhook-id"] ?? "",
    eventType: headers["x-webhook-event"] ?? "",
    body,
    sentAt: new Date(),
  };
  Object.assign(headers, signWebhook({ legacy: secret, all: [secret] }, signable));
}

const OTHER_SECRET = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;

/** Changes the events of a type and a version, and signs them like the server does. */
const inEvent =
  (type: string, version: string, change: (event: Record<string, unknown>) => void) =>
  (webhook: ProxiedWebhook): undefined => {
    if (!isEvent(webhook, type, version)) return;
    const event = JSON.parse(webhook.body);
    change(event);
    webhook.body = JSON.stringify(event);
    sign(webhook, webhook.secret);
  };

const attempted = new Set<string>();
const unpadded = (secret: string) => secret.replace(/=+$/, "");

/** Ways in which the webhooks of an implementation can differ. */
export const WEBHOOK_PLANTS: readonly Plant[] = [
  {
    name: "the signature is of another body",
    webhook: (webhook) => {
      if (isEvent(webhook, "message.received", "2025-01-01")) {
        webhook.body = JSON.stringify(JSON.parse(webhook.body), null, 1);
      }
      return undefined;
    },
    found: { id: "webhooks/message.received 2025-01-01: signatures", seen: /webhook-signature is not/ },
  },
  {
    name: "the signature has another key",
    webhook: (webhook) => {
      if (isEvent(webhook, "message.delivered", "2025-01-01")) sign(webhook, OTHER_SECRET);
      return undefined;
    },
    found: { id: "webhooks/message.delivered 2025-01-01: signatures", seen: /X-Webhook-Signature is not/ },
  },
  {
    name: "an event is missing",
    webhook: (webhook) => (isEvent(webhook, "message.sent", "2025-01-01") ? false : undefined),
    found: { id: "webhooks/message.sent 2025-01-01: arrives", seen: /nothing arrived in time/ },
  },
  {
    name: "events have another order",
    webhook: inEvent("message.delivered", "2026-02-03", (event) => {
      event.created_at = "2026-01-01T00:00:00.000Z";
    }),
    found: { id: "webhooks/message.sent before message.delivered", seen: /created_at is / },
  },
  {
    name: "an event has another trace",
    webhook: inEvent("message.sent", "2026-02-03", (event) => {
      event.trace_id = "0".repeat(32);
    }),
    found: { id: "webhooks/message.sent 2026-02-03: trace", seen: /trace_id is 0/ },
  },
  {
    name: "a retry has another ID",
    webhook: (webhook) => {
      if (!isEvent(webhook, "message.sent", "2026-02-03")) return undefined;
      const id = webhook.headers["webhook-id"] ?? "";
      if (attempted.has(id)) webhook.headers["webhook-id"] = randomUUID();
      attempted.add(id);
      sign(webhook, webhook.secret);
      return undefined;
    },
    found: { id: "webhooks/a retry after 500", seen: /webhook-id changed/ },
    alsoFound: /^webhooks\/message\.sent 2026-02-03: headers$/,
  },
  {
    name: "an event has several IDs",
    webhook: inEvent("message.delivered", "2026-02-03", (event) => {
      event.event_id = randomUUID();
    }),
    found: { id: "webhooks/the event_id", seen: /message\.delivered has 2 event_ids/ },
    alsoFound: /^webhooks\/message\.delivered 2026-02-03: headers$/,
  },
  {
    name: "the header of an event names another one",
    webhook: (webhook) => {
      const isIt = isEvent(webhook, "message.received", "2026-02-03");
      if (isIt) webhook.headers["x-webhook-subscription-id"] = randomUUID();
      return undefined;
    },
    found: { id: "webhooks/message.received 2026-02-03: headers", seen: /x-webhook-subscription-id is/ },
  },
  {
    name: "an event that no message causes lacks a field",
    webhook: inEvent("reaction.added", "2025-01-01", (event) => {
      event.data = { ...(event.data as object), reaction_type: undefined };
    }),
    found: { id: "webhooks/reaction.added 2025-01-01: payload", seen: /reaction_type: is missing/ },
  },
  {
    name: "an event has another version",
    webhook: inEvent("message.read", "2025-01-01", (event) => {
      event.webhook_version = "2026-02-03";
    }),
    found: { id: "webhooks/message.read 2025-01-01: payload", seen: /webhook_version is 2026-02-03/ },
  },
  // The last one, because it signs what the others have changed.
  {
    name: "a secret has no padding",
    response: inSuccess("POST /v3/webhook-subscriptions", ({ body }) => {
      if (String(body.target_url).endsWith("version=2026-02-03"))
        body.signing_secret = unpadded(body.signing_secret);
    }),
    webhook: (webhook) => {
      if (webhook.version === "2026-02-03") sign(webhook, unpadded(webhook.secret));
      return undefined;
    },
    found: { id: "webhooks/the secret of 2026-02-03", seen: /padded base64/ },
  },
];
