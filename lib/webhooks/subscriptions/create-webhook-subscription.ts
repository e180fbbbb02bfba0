import "server-only";
import { z } from "zod";
import { emitAccountEvent, requestChange } from "@/lib/events/store/emit-account-event";
import { findAccountOptions } from "@/lib/identity/accounts/find-account-options";
import { findOwnLines } from "@/lib/identity/accounts/find-own-lines";
import { recordAudit } from "@/lib/identity/audit/record-audit";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { seal } from "@/lib/platform/crypto/crypto";
import { type Sql, transaction } from "@/lib/platform/database/db";
import { plannedStatement } from "@/lib/platform/database/statement";
import { env } from "@/lib/platform/env";
import { fail } from "@/lib/platform/errors/errors";
import { newId, secretBytes } from "@/lib/platform/ids";
import { SECRET_BYTES, toSigningSecret } from "@/lib/webhooks/signing/sign-webhook";
import { signingSecretContext } from "@/lib/webhooks/signing/signing-secrets";
import { emitRoutingChange, subscriptionRef } from "@/lib/webhooks/subscriptions/emit-subscription-changes";
import { toOrderingColumns } from "@/lib/webhooks/subscriptions/ordering-settings";
import { SUBSCRIPTION_EVENTS } from "@/lib/webhooks/subscriptions/subscription-events";
import { toTurnColumns } from "@/lib/webhooks/subscriptions/turn-settings";
import {
  SUBSCRIPTION_COLUMNS,
  subscriptionFields,
  toWebhookSubscription,
  WebhookSubscription,
} from "@/lib/webhooks/subscriptions/webhook-subscription";
import { DEFAULT_ROUTING_ID_HEADER } from "@/lib/webhooks/targets/routing-header";
import { checkTarget, webhookVersion, withoutQuery } from "@/lib/webhooks/targets/webhook-target";

export const CreateWebhookSubscription = contract({
  summary: "Create a webhook subscription",
  description:
    "Subscribes a URL to events. Each `target_url` can have only one subscription: for more, vary the query string. The response contains the signing secret, which is shown only once. To select the payload version, add `?version=` to the query string of the URL.",
  tag: "Webhooks",
  right: "manage_webhooks",
  proof: true,
  body: z
    .object({
      target_url: subscriptionFields.target_url,
      subscribed_events: subscriptionFields.subscribed_events,
      phone_numbers: subscriptionFields.phone_numbers.default([]),
      routing_key_header: subscriptionFields.routing_key_header.default(null),
      routing_id_header: subscriptionFields.routing_id_header.default(null),
      retry_seconds: subscriptionFields.retry_seconds.default([]),
      auto_replay_per_second: subscriptionFields.auto_replay_per_second.default(null),
      turns: subscriptionFields.turns.optional(),
      ordering: subscriptionFields.ordering.optional(),
      on_exhausted: subscriptionFields.on_exhausted.optional(),
    })
    .meta({
      examples: [
        {
          target_url: "https://example.com/webhooks/trunkline",
          subscribed_events: ["message.received", "message.delivered", "message.failed"],
        },
      ],
    }),
  returns: WebhookSubscription.extend({
    signing_secret: z
      .string()
      .describe(
        "Secret that deliveries are signed with: `whsec_` followed by base64. Returned only in this response.",
      ),
  }).meta({
    examples: [
      {
        id: "019ca9c2-4c0b-7ce2-9b21-d6e7f8091a23",
        target_url: "https://example.com/webhooks/trunkline",
        subscribed_events: ["message.received", "message.delivered", "message.failed"],
        phone_numbers: null,
        is_active: true,
        routing_key_header: null,
        routing_id_header: null,
        created_at: "2026-03-01T12:00:00.000Z",
        updated_at: "2026-03-01T12:00:00.000Z",
        signing_secret: "whsec_ZXhhbXBsZS1zZWNyZXQtb2YtMzItYnl0ZXMtbG9uZyE=",
      },
    ],
  }),
  status: 201,
  errors: ["field_missing", "parameter_invalid", "phone_not_e164", "line_not_permitted", "state_conflict"],
});

const CREATE_WEBHOOK_SUBSCRIPTION = plannedStatement(
  "create-webhook-subscription",
  `insert into webhook_subscriptions
    (account_id, id, target_url, subscribed_events, phone_numbers, version, signing_secret, created_at, updated_at,
     routing_key_header, routing_id_header, retry_seconds, auto_replay_per_second,
     auto_replay_from, name, turn_quiet_ms, turn_max_ms, turn_groups, order_by_chat, stop_exhausted)
  values (:accountId, :id, :targetUrl, :subscribedEvents, :phoneNumbers, :version, :seal, :now, :now, :routingKeyHeader, :routingIdHeader,
    :retrySeconds, :autoReplay, case when :autoReplay::int is not null then :now::timestamptz end, :name, :turnQuietMs,
    :turnMaxMs, :turnGroups, :orderByChat, :stopExhausted)
  on conflict (account_id, target_url) where deleted_at is null do nothing
  returning ${SUBSCRIPTION_COLUMNS}`,
);

/**
 * Creates a subscription. Only this response contains its signing secret (docs/contract.md, section 12.1). Errors:
 * parameter_invalid, line_not_permitted, state_conflict when the account already has a subscription with this URL, or
 * has reached SUBSCRIPTIONS_PER_ACCOUNT. Only the dashboard gives a subscription a `name`.
 */
export async function createWebhookSubscription(
  ctx: Context,
  { body }: { body: Input<typeof CreateWebhookSubscription>["body"] & { name?: string | null } },
) {
  checkTarget(ctx.account, body.target_url);
  checkRoutingHeaders(body);
  const ordering = toOrderingColumns(body);
  await findOwnLines(ctx, body.phone_numbers);
  const { default_webhook_version } = await findAccountOptions(ctx.account.id);
  const version = webhookVersion(body.target_url, ctx.now, default_webhook_version);

  const secret = toSigningSecret(secretBytes(SECRET_BYTES));
  const id = newId(ctx.now.getTime(), ctx.account.id, "webhook subscription");
  const row = await transaction(async (tx) => {
    await requireRoom(tx, ctx.account.id);
    await requireNewTarget(tx, { accountId: ctx.account.id, id }, body.target_url);
    const [created] = await tx.run(CREATE_WEBHOOK_SUBSCRIPTION, {
      accountId: ctx.account.id,
      id,
      targetUrl: body.target_url,
      subscribedEvents: body.subscribed_events,
      phoneNumbers: body.phone_numbers,
      version,
      seal: seal(secret, signingSecretContext(ctx.account.id, id)),
      now: ctx.now,
      routingKeyHeader: body.routing_key_header,
      routingIdHeader: body.routing_id_header,
      retrySeconds: body.retry_seconds,
      autoReplay: body.auto_replay_per_second,
      name: body.name ?? null,
      ...toTurnColumns(body.turns ?? null),
      ...ordering,
    });
    if (created === undefined) return failDuplicateTarget(body.target_url);
    const detail = { ...body, target_url: withoutQuery(body.target_url) };
    await recordAudit(tx, ctx, "webhook_subscription.created", "webhook_subscription", created.id, detail);
    await emitAccountEvent(tx, requestChange(ctx), SUBSCRIPTION_EVENTS["webhook_subscription.created"], {
      webhook_subscription: { ...subscriptionRef(created), events: created.subscribedEvents },
    });
    await emitRoutingChange(
      tx,
      requestChange(ctx),
      { ...created, routingKeyHeader: null, routingIdHeader: null },
      created,
    );
    return created;
  });

  return { ...toWebhookSubscription(row), signing_secret: secret };
}

/** Requires different headers for the routing token and the chat's id. Errors: parameter_invalid. */
export function checkRoutingHeaders({
  routing_key_header,
  routing_id_header,
}: {
  routing_key_header: string | null;
  routing_id_header: string | null;
}): void {
  const idHeader = routing_id_header ?? DEFAULT_ROUTING_ID_HEADER;
  if (routing_key_header?.toLowerCase() === idHeader.toLowerCase()) {
    fail("parameter_invalid", "routing_key_header and routing_id_header must be different headers");
  }
}

const LOCK_ACCOUNT_TO_ADD_ENDPOINT = plannedStatement(
  "lock-account-to-add-endpoint",
  "select from accounts where id = :accountId for no key update",
);

const COUNT_WEBHOOK_SUBSCRIPTIONS = plannedStatement(
  "count-webhook-subscriptions",
  "select count(*)::int from webhook_subscriptions where account_id = :accountId and deleted_at is null",
);

// Locks the account's row, so that only one of two concurrent requests gets the last free subscription.
async function requireRoom(tx: Sql, accountId: string): Promise<void> {
  const most = env().SUBSCRIPTIONS_PER_ACCOUNT;
  await tx.run(LOCK_ACCOUNT_TO_ADD_ENDPOINT, { accountId });
  const [row] = await tx.run(COUNT_WEBHOOK_SUBSCRIPTIONS, { accountId });
  if ((row?.count ?? 0) < most) return;
  fail(
    "state_conflict",
    `an account can have at most ${most} webhook subscriptions: delete an unused subscription`,
  );
}

const LOCK_ACCOUNT_TO_COMPARE_TARGETS = plannedStatement(
  "lock-account-to-compare-targets",
  "select from accounts where id = :accountId for no key update",
);

const LIST_TARGET_URLS = plannedStatement(
  "list-target-urls",
  `select target_url from webhook_subscriptions
  where account_id = :accountId and id <> :id and deleted_at is null`,
);

/**
 * Requires that no other subscription of the account has this target: URLs are compared as the WHATWG parser writes
 * them, without fragment and empty query (docs/contract.md, section 12.1). Locks the account's row, so that only one of
 * two concurrent requests gets the URL. Errors: state_conflict, naming the URL.
 */
export async function requireNewTarget(
  tx: Sql,
  { accountId, id }: { accountId: string; id: string },
  targetUrl: string,
): Promise<void> {
  await tx.run(LOCK_ACCOUNT_TO_COMPARE_TARGETS, { accountId });
  const others = await tx.run(LIST_TARGET_URLS, { accountId, id });
  const same = others.find(({ target_url }) => comparedTarget(target_url) === comparedTarget(targetUrl));
  if (same !== undefined) failDuplicateTarget(same.target_url);
}

function comparedTarget(targetUrl: string): string {
  const url = new URL(targetUrl);
  url.hash = "";
  // Removes the question mark of an empty query.
  if (url.search === "") url.search = "";
  return url.href;
}

/** Throws the error for a target URL that another subscription has. Errors: state_conflict, naming the URL. */
export function failDuplicateTarget(targetUrl: string): never {
  return fail("state_conflict", `a subscription with the target_url ${targetUrl} already exists`);
}
