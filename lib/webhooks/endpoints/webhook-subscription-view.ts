import "server-only";
import { z } from "zod";
import { isStopped } from "@/lib/events/store/delivery-state";
import { env } from "@/lib/platform/env";
import type { Prisma } from "@/lib/platform/prisma/client";
import { ladderSpanMs } from "@/lib/platform/time/retry-ladder";
import { isOrdered } from "@/lib/webhooks/deliveries/chat-queue";
import {
  subscriptionSelect,
  toWebhookSubscription,
  WebhookSubscription,
} from "@/lib/webhooks/subscriptions/webhook-subscription";

const MAX_STOPPED_CHATS = 1000;

const SigningSecretState = z.object({
  /** null = the original secret is still in use. */
  rotated_at: z.iso.datetime().nullable(),
  /** While set, both secrets are valid. */
  previous_valid_until: z.iso.datetime().nullable(),
  /** The secret that signs X-Webhook-Signature. */
  legacy_signed_by: z.enum(["current", "previous"]),
});

/** A webhook subscription as the dashboard shows it, with its state. */
export const WebhookSubscriptionView = WebhookSubscription.extend({
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
  /**
   * While the endpoint is paused or disabled: every event that it missed in the pause, and in the outage before it, was
   * created at or after this time. null while it is active.
   */
  missed_from: z.iso.datetime().nullable(),
  signing_secret_state: SigningSecretState,
  /** null = the schedule of the instance. */
  retry_seconds: z.array(z.int()).nullable(),
  /** null = no automatic replays. */
  auto_replay_per_second: z.int().nullable(),
  /** Chats that a delivery stopped, at most 1,000; 0 while the endpoint is not active. */
  stopped_chats: z.int(),
});

export type WebhookSubscriptionView = z.infer<typeof WebhookSubscriptionView>;

export const subscriptionViewSelect = {
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

export type SubscriptionViewRow = Prisma.WebhookSubscriptionGetPayload<{
  select: typeof subscriptionViewSelect;
}> & {
  /** The last success of an endpoint that is not active; without one, the first failure that is still counted. */
  answeredAt: Date | null;
  stoppedChats: number;
};

/** An expression for `answeredAt`, with `webhook_subscriptions s`. */
export const ANSWERED_AT = `case when not s.is_active then (
    select coalesce(max(c.last_at) filter (where c.outcome like '2__'), min(c.first_at))
    from webhook_attempt_counts c where c.account_id = s.account_id and c.subscription_id = s.id) end`;

/** An expression for `stoppedChats`, with `webhook_subscriptions s`. */
export const STOPPED_CHATS = `case when not ${isOrdered("s")} then 0 else (
    select count(*)::int from (
      select from webhook_deliveries d
      where d.account_id = s.account_id and d.subscription_id = s.id and ${isStopped("d")}
      limit ${MAX_STOPPED_CHATS}) stopped) end`;

/** Like `subscriptionViewSelect`, for raw SQL with `webhook_subscriptions s`. */
export const SUBSCRIPTION_VIEW_COLUMNS = `s.id, s.name, s.target_url as "targetUrl", s.subscribed_events as "subscribedEvents",
  s.phone_numbers as "phoneNumbers", s.is_active as "isActive",
  s.routing_key_header as "routingKeyHeader", s.routing_id_header as "routingIdHeader",
  s.retry_seconds as "retrySeconds", s.auto_replay_per_second as "autoReplayPerSecond",
  s.turn_quiet_ms as "turnQuietMs", s.turn_max_ms as "turnMaxMs", s.turn_groups as "turnGroups",
  s.order_by_chat as "orderByChat", s.stop_exhausted as "stopExhausted", s.created_at as "createdAt", s.updated_at as "updatedAt",
  s.version, s.rate_limit as "rateLimit", s.failing_since as "failingSince", s.warned_percent as "warnedPercent",
  s.disabled_at as "disabledAt", s.disabled_reason as "disabledReason", s.secret_rotated_at as "secretRotatedAt",
  s.previous_secret_until as "previousSecretUntil", s.previous_signs_legacy as "previousSignsLegacy",
  ${ANSWERED_AT} as "answeredAt", ${STOPPED_CHATS} as "stoppedChats!"`;

/** The endpoint at a time of the platform clock. */
export function toWebhookSubscriptionView(row: SubscriptionViewRow, at: Date): WebhookSubscriptionView {
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
    missed_from: missedFrom(row)?.toISOString() ?? null,
    signing_secret_state: toSecretState(row, at),
    retry_seconds: row.retrySeconds.length === 0 ? null : row.retrySeconds,
    auto_replay_per_second: row.autoReplayPerSecond,
    stopped_chats: row.stoppedChats,
  };
}

// An event whose first failed attempt began the outage was created before, by at most the time of its retries.
function missedFrom(row: SubscriptionViewRow): Date | null {
  if (row.isActive || row.disabledAt === null) return null;
  const outage = row.answeredAt ?? row.failingSince ?? row.disabledAt;
  const ladder = row.retrySeconds.length === 0 ? env().WEBHOOK_RETRY_SECONDS : row.retrySeconds;
  return new Date(Math.min(outage.getTime(), row.disabledAt.getTime()) - ladderSpanMs(ladder));
}

function stateOf(row: SubscriptionViewRow): WebhookSubscriptionView["state"] {
  if (!row.isActive) return row.disabledReason === "manual" ? "paused" : "disabled";
  return row.warnedPercent > 0 ? "failing" : "active";
}

function toSecretState(row: SubscriptionViewRow, at: Date): z.infer<typeof SigningSecretState> {
  const until = row.previousSecretUntil;
  const isOverlap = until !== null && until > at;
  return {
    rotated_at: row.secretRotatedAt?.toISOString() ?? null,
    previous_valid_until: isOverlap ? until.toISOString() : null,
    legacy_signed_by: isOverlap && row.previousSignsLegacy ? "previous" : "current",
  };
}
