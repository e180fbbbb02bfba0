import "server-only";
import { z } from "zod";
import type { Prisma } from "@/lib/platform/prisma/client";
import {
  subscriptionSelect,
  toWebhookSubscription,
  WebhookSubscription,
} from "@/lib/webhooks/subscriptions/webhook-subscription";

const SigningSecretState = z.object({
  /** null = the original secret is still in use. */
  rotated_at: z.iso.datetime().nullable(),
  /** While set, both secrets are valid. */
  previous_valid_until: z.iso.datetime().nullable(),
  /** The secret that signs X-Webhook-Signature. */
  legacy_signed_by: z.enum(["current", "previous"]),
});

/** A webhook subscription as the dashboard shows it, with its state. */
export const WebhookEndpoint = WebhookSubscription.extend({
  /** Given in the dashboard, and shown only there; null = none. */
  name: z.string().nullable(),
  version: z.string(),
  state: z.enum(["active", "failing", "paused", "disabled"]),
  /** Maximum posts per second; null = no limit. */
  rate_limit: z.int().nullable(),
  /** The start of the current run of failures; five days of them disable the endpoint. */
  failing_since: z.iso.datetime().nullable(),
  /** The highest warning since the endpoint last recovered: 50, 90 or 100 percent; 0 = none. */
  warned_percent: z.int(),
  disabled_at: z.iso.datetime().nullable(),
  /**
   * manual = paused by a user; gone = two 410 responses at least an hour apart; failing = five days of failures only.
   */
  disabled_reason: z.enum(["manual", "gone", "failing"]).nullable(),
  signing_secret_state: SigningSecretState,
});

export type WebhookEndpoint = z.infer<typeof WebhookEndpoint>;

export const endpointSelect = {
  ...subscriptionSelect,
  name: true,
  rateLimit: true,
  failingSince: true,
  warnedPercent: true,
  disabledAt: true,
  disabledReason: true,
  secretRotatedAt: true,
  previousSecretUntil: true,
  previousSignsLegacy: true,
} satisfies Prisma.WebhookSubscriptionSelect;

export type EndpointRow = Prisma.WebhookSubscriptionGetPayload<{ select: typeof endpointSelect }>;

/** Like `endpointSelect`, for raw SQL with `webhook_subscriptions s`. */
export const ENDPOINT_COLUMNS = `s.id, s.name, s.target_url as "targetUrl", s.subscribed_events as "subscribedEvents",
  s.phone_numbers as "phoneNumbers", s.is_active as "isActive",
  s.routing_key_header as "routingKeyHeader", s.routing_id_header as "routingIdHeader", s.created_at as "createdAt", s.updated_at as "updatedAt",
  s.version, s.rate_limit as "rateLimit", s.failing_since as "failingSince", s.warned_percent as "warnedPercent",
  s.disabled_at as "disabledAt", s.disabled_reason as "disabledReason", s.secret_rotated_at as "secretRotatedAt",
  s.previous_secret_until as "previousSecretUntil", s.previous_signs_legacy as "previousSignsLegacy"`;

/** The endpoint at a time of the platform clock. */
export function toWebhookEndpoint(row: EndpointRow, at: Date): WebhookEndpoint {
  return {
    ...toWebhookSubscription(row),
    name: row.name,
    version: row.version,
    state: stateOf(row),
    rate_limit: row.rateLimit,
    failing_since: row.failingSince?.toISOString() ?? null,
    warned_percent: row.warnedPercent,
    disabled_at: row.disabledAt?.toISOString() ?? null,
    disabled_reason: row.disabledReason,
    signing_secret_state: toSecretState(row, at),
  };
}

function stateOf(row: EndpointRow): WebhookEndpoint["state"] {
  if (!row.isActive) return row.disabledReason === "manual" ? "paused" : "disabled";
  return row.warnedPercent > 0 ? "failing" : "active";
}

function toSecretState(row: EndpointRow, at: Date): z.infer<typeof SigningSecretState> {
  const until = row.previousSecretUntil;
  const isOverlap = until !== null && until > at;
  return {
    rotated_at: row.secretRotatedAt?.toISOString() ?? null,
    previous_valid_until: isOverlap ? until.toISOString() : null,
    legacy_signed_by: isOverlap && row.previousSignsLegacy ? "previous" : "current",
  };
}
