import "server-only";
import type { Dispatcher } from "undici";
import { eventVersions } from "@/lib/events/catalog/event-types";
import { renderEvent } from "@/lib/events/catalog/render-event";
import { UnreadableSecret } from "@/lib/platform/crypto/crypto";
import { type PostAnswer, postGuarded } from "@/lib/platform/guarded-fetch/post-guarded";
import type { RequestTiming } from "@/lib/platform/guarded-fetch/request-timing";
import { memoize } from "@/lib/platform/tasks/memoize";
import { log } from "@/lib/platform/telemetry/log";
import { now } from "@/lib/platform/time/clock";
import { type AttemptResult, attemptError } from "@/lib/webhooks/deliveries/attempt/attempt-result";
import { parseRetryAfter } from "@/lib/webhooks/deliveries/attempt/parse-retry-after";
import type { PostedRequest } from "@/lib/webhooks/deliveries/attempt/stored-request";
import type { ClaimedDelivery } from "@/lib/webhooks/deliveries/claim/claim-deliveries";
import { signWebhook } from "@/lib/webhooks/signing/sign-webhook";
import { validSecrets } from "@/lib/webhooks/signing/signing-secrets";
import { relayConnectionOf, relayWebhook } from "@/lib/webhooks/targets/relay-webhook";
import { ROUTING_TOKEN_MAX } from "@/lib/webhooks/targets/routing-header";

const KEEP_BYTES = 4096;
const KEEP_HEADERS = ["content-type", "content-length", "location", "retry-after", "server", "x-request-id"];
const MAX_KEEP_HEADER = 500;
const USER_AGENT = "Trunkline-Webhooks/1";

// Webhooks to the relay never leave the service (docs/contract.md, section 12.2). A 503 is retried: the program may
// reconnect.
const RELAYED: PostAnswer = { status: 200, headers: {}, body: Buffer.from("relayed") };
const NOT_RELAYED: PostAnswer = {
  status: 503,
  headers: {},
  body: Buffer.from("no program is connected to the relay with this ID"),
};

/** The data required to post an event to a subscription. */
export type Postable = Pick<ClaimedDelivery, "accountId" | "partnerId" | "sequence" | "marks" | "event"> & {
  subscription: Omit<ClaimedDelivery["subscription"], "goneAt">;
  routing?: ClaimedDelivery["routing"];
};

/** Makes one attempt at a delivery: renders, signs and posts. Never throws; failures are in the result. */
export async function postWebhook(
  agent: Dispatcher,
  delivery: Postable,
  timeoutMs: number,
): Promise<AttemptResult> {
  const begun = { startedAt: now(), started: performance.now() };
  if (!eventVersions(delivery.event.type).includes(delivery.subscription.version)) {
    return { ...ended(begun, null, null), error: "not_in_version", latencyMs: 0 };
  }
  const prepared = prepare(delivery);
  if (typeof prepared === "string") return { ...ended(begun, null, null), error: prepared, latencyMs: 0 };

  const { request, body } = prepared;
  let timing: RequestTiming | null = null;
  try {
    const target = targetOf(request.url);
    const connectionId = relayConnectionOf(target);
    if (connectionId !== null) {
      const isRelayed = await relayWebhook({ accountId: delivery.accountId, connectionId, body }, timeoutMs);
      return { ...ended(begun, request, null), ...answered(isRelayed ? RELAYED : NOT_RELAYED) };
    }
    const answer = await postGuarded(agent, target, {
      headers: request.headers,
      body,
      timeoutMs,
      keepBytes: KEEP_BYTES,
      onTiming(emitted) {
        timing = emitted;
      },
    });
    return { ...ended(begun, request, timing), ...answered(answer), routingToken: tokenIn(answer, delivery) };
  } catch (error) {
    return { ...ended(begun, request, timing), error: attemptError(error) };
  }
}

// Otherwise the URL of a busy endpoint would be parsed for every attempt.
const targetOf = memoize(1000, (url) => new URL(url));

function ended(
  begun: { startedAt: Date; started: number },
  request: PostedRequest | null,
  timing: RequestTiming | null,
): AttemptResult {
  return {
    startedAt: begun.startedAt,
    latencyMs: performance.now() - begun.started,
    timing,
    request,
    statusCode: null,
    error: null,
    responseHeaders: null,
    responseBody: null,
    retryAfterMs: null,
  };
}

// Only a success sets a routing token. A value that cannot be sent back in a header counts as none.
function tokenIn({ status, headers }: PostAnswer, { routing }: Postable): string | null {
  if (routing == null || status < 200 || status > 299) return null;
  const value = headers[routing.keyHeader.toLowerCase()];
  const token = Array.isArray(value) ? value[0] : value;
  if (token === undefined || token === "" || token.length > ROUTING_TOKEN_MAX) return null;
  return /^[\x20-\x7e]+$/.test(token) ? token : null;
}

function routingHeaders({ routing }: Postable): Record<string, string> {
  if (routing == null) return {};
  const { keyHeader, idHeader, chatId, token } = routing;
  return { [idHeader]: chatId, ...(token === null ? {} : { [keyHeader]: token }) };
}

function answered(answer: PostAnswer) {
  const responseHeaders = keptHeaders(answer.headers);
  return {
    statusCode: answer.status,
    responseHeaders,
    responseBody: answer.body.length === 0 ? "" : toText(answer.body),
    retryAfterMs: parseRetryAfter(responseHeaders["retry-after"], new Date()),
  };
}

function keptHeaders(headers: PostAnswer["headers"]): Record<string, string> {
  return Object.fromEntries(
    KEEP_HEADERS.flatMap((name) => {
      const value = headers[name];
      return value === undefined ? [] : [[name, String(value).slice(0, MAX_KEEP_HEADER)]];
    }),
  );
}

function prepare(
  delivery: Postable,
): { request: PostedRequest; body: string } | "internal" | "secret_unreadable" {
  const { event, partnerId, sequence, subscription } = delivery;
  try {
    const envelope = renderEvent(
      { ...event, sequence: sequence ?? undefined },
      partnerId,
      subscription.version,
    );
    const body = JSON.stringify(envelope);
    const headers = headersOf(delivery, body);
    return { request: { url: subscription.targetUrl, version: subscription.version, headers }, body };
  } catch (error) {
    log.error(
      { err: error, eventId: event.id, subscriptionId: subscription.id },
      "a webhook could not be prepared",
    );
    return error instanceof UnreadableSecret ? "secret_unreadable" : "internal";
  }
}

// The signature uses the wall clock, because receivers compare its time with their own clocks. The validity of a secret
// uses the platform clock.
function headersOf(delivery: Postable, body: string): Record<string, string> {
  const { accountId, event, marks, subscription } = delivery;
  const signature = signWebhook(validSecrets(accountId, subscription, now()), {
    subscriptionId: subscription.id,
    eventId: event.id,
    eventType: event.type,
    body,
    sentAt: new Date(),
  });
  return {
    "content-type": "application/json",
    "user-agent": USER_AGENT,
    ...marks,
    ...routingHeaders(delivery),
    ...signature,
  };
}

// PostgreSQL text cannot contain NUL. An incomplete character at the end is dropped.
function toText(bytes: Buffer): string {
  return new TextDecoder().decode(bytes, { stream: true }).replaceAll("\0", "");
}
