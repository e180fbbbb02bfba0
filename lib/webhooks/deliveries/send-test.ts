import "server-only";
import { randomBytes } from "node:crypto";
import type { Agent } from "undici";
import { z } from "zod";
import { payloadOf } from "@/lib/events/catalog/event-registry";
import { EVENT_TYPES, type EventType, eventVersions } from "@/lib/events/catalog/event-types";
import { renderEvent } from "@/lib/events/catalog/render-event";
import { WebhookVersion } from "@/lib/events/catalog/webhook-version";
import { selectEvent } from "@/lib/events/store/logged-event";
import { recordAudit } from "@/lib/identity/audit/record-audit";
import type { AccountRef, Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { seal } from "@/lib/platform/crypto/crypto";
import { sql, transaction } from "@/lib/platform/database/db";
import { plannedStatement } from "@/lib/platform/database/statement";
import { fail, failRateLimited } from "@/lib/platform/errors/errors";
import { guardedAgent } from "@/lib/platform/guarded-fetch/safe-fetch";
import { newId } from "@/lib/platform/ids";
import { type Postable, postWebhook } from "@/lib/webhooks/deliveries/attempt/post-webhook";
import type { ClaimedSubscription } from "@/lib/webhooks/deliveries/claim/claim-deliveries";
import { TestResult, toTestResult } from "@/lib/webhooks/deliveries/test-result";
import { SECRET_BYTES, toSigningSecret } from "@/lib/webhooks/signing/sign-webhook";
import { signingSecretContext } from "@/lib/webhooks/signing/signing-secrets";
import { findWebhookSubscription } from "@/lib/webhooks/subscriptions/find-webhook-subscription";
import { webhookAllowList } from "@/lib/webhooks/targets/webhook-target";

const RESPONSE_TIMEOUT_MS = 10_000;
const REST_SECONDS = 1;
const CONNECTIONS = 4;
const MARKS = { "x-webhook-test": "true" };

export const SendTest = contract({
  summary: "Send a test to a webhook subscription",
  description:
    "Posts one event to the endpoint now, signed like a delivery and with the header `X-Webhook-Test: true`, and returns the response. Nothing is stored and nothing is retried. At most one test per second and subscription. A Trunkline extension.",
  tag: "Webhooks",
  right: "manage_webhooks",
  params: z.object({ subscriptionId: z.uuid().describe("ID of the webhook subscription.") }),
  body: z
    .object({
      type: z
        .enum(EVENT_TYPES)
        .optional()
        .describe("Event type to send with example data. Set either this or `event_seq`."),
      event_seq: z.int().positive().optional().describe("Number of an event of the account to send."),
      signature: z
        .enum(["valid", "wrong"])
        .optional()
        .describe(
          "`wrong` signs with another secret: an endpoint that verifies signatures rejects the test. Defaults to `valid`.",
        ),
    })
    .refine(({ type, event_seq }) => (type === undefined) !== (event_seq === undefined), {
      error: "set type or event_seq, not both",
      params: { error: "parameter_invalid" },
    })
    .meta({ examples: [{ type: "message.received" }] }),
  returns: TestResult,
  status: 200,
  errors: [
    "subscription_not_found",
    "access_denied",
    "name_unknown",
    "parameter_invalid",
    "field_missing",
    "rate_limited",
  ],
  extension: true,
});

type Body = Input<typeof SendTest>["body"];

/**
 * Posts one event to a subscription now, active or not, like a delivery: in its version, signed, through the guarded
 * connector, marked `X-Webhook-Test: true`. Only an audit entry is recorded, and the response has no effect on the
 * subscription. Errors: subscription_not_found, access_denied, name_unknown (no such event), parameter_invalid (its
 * version lacks the event type), rate_limited (one per second).
 */
export async function sendTest(ctx: Context, { params, body }: Input<typeof SendTest>): Promise<TestResult> {
  const { id } = await findWebhookSubscription(ctx, params.subscriptionId);
  const event = await chooseEvent(ctx, body);
  const subscription = await acquireTestSlot(ctx, id);
  if (!eventVersions(event.type).includes(subscription.version)) {
    fail("parameter_invalid", `version ${subscription.version} has no events of type ${event.type}`);
  }

  const test = {
    accountId: ctx.account.id,
    partnerId: ctx.account.partnerId,
    sequence: null,
    marks: MARKS,
    subscription: body.signature === "wrong" ? withOtherSecret(ctx, subscription) : subscription,
    event,
  };
  const result = await postWebhook(testAgent(ctx.account.type), test, RESPONSE_TIMEOUT_MS);
  await transaction((tx) => {
    const { statusCode, error } = result;
    const detail = {
      event_type: event.type,
      event_id: event.id,
      status_code: statusCode,
      error,
      ...(body.signature === "wrong" && { signature: "wrong" }),
    };
    return recordAudit(tx, ctx, "webhook_subscription.tested", "webhook_subscription", id, detail);
  });

  return toTestResult(result, renderEvent(event, ctx.account.partnerId, subscription.version));
}

function withOtherSecret(ctx: Context, subscription: ClaimedSubscription): ClaimedSubscription {
  const other = toSigningSecret(randomBytes(SECRET_BYTES));
  const sealedSecret = seal(other, signingSecretContext(ctx.account.id, subscription.id));
  return { ...subscription, sealedSecret, previousSecret: null };
}

async function chooseEvent(ctx: Context, { type, event_seq }: Body): Promise<Postable["event"]> {
  if (event_seq === undefined) return exampleOf(ctx, type ?? fail("field_missing", "type"));
  const event = await selectEvent(sql, ctx.account.id, event_seq);
  return event === null || event.internal
    ? fail("name_unknown", "the account has no event with this number")
    : event;
}

// A new id each time, so that a receiver that drops duplicates does not drop the second test.
function exampleOf(ctx: Context, type: EventType): Postable["event"] {
  const data: unknown = payloadOf(type).example;
  return { id: newId(ctx.now.getTime()), type, traceId: ctx.traceId, data, createdAt: ctx.now };
}

const ACQUIRE_TEST_SLOT = plannedStatement(
  "acquire-test-slot",
  `update webhook_subscriptions set tested_at = :testedAt
  where account_id = :accountId and id = :id and deleted_at is null and (tested_at is null or tested_at <= :restedSince)
  returning id, target_url, version, signing_secret, previous_secret, previous_secret_until,
    previous_signs_legacy`,
);

// Uses real time, not the platform clock, because the limit protects the receiver.
async function acquireTestSlot(ctx: Context, id: string): Promise<ClaimedSubscription> {
  const at = Date.now();
  const [row] = await sql.run(ACQUIRE_TEST_SLOT, {
    accountId: ctx.account.id,
    id,
    testedAt: new Date(at),
    restedSince: new Date(at - REST_SECONDS * 1000),
  });
  if (row === undefined) return failRateLimited(REST_SECONDS);
  const { previous_secret: sealed, previous_secret_until: until, previous_signs_legacy: signsLegacy } = row;
  return {
    id: row.id,
    targetUrl: row.target_url,
    version: WebhookVersion.parse(row.version),
    sealedSecret: row.signing_secret,
    previousSecret: sealed === null || until === null ? null : { sealed, until, signsLegacy },
    goneAt: null,
  };
}

const agents = new Map<AccountRef["type"], Agent>();

function testAgent(type: AccountRef["type"]): Agent {
  const known = agents.get(type);
  if (known !== undefined) return known;
  const agent = guardedAgent({
    allow: webhookAllowList(type),
    connectionsPerOrigin: CONNECTIONS,
    connectTimeoutMs: RESPONSE_TIMEOUT_MS,
  });
  agents.set(type, agent);
  return agent;
}
