import "server-only";
import type { Dispatcher } from "undici";
import { renderEvent } from "@/lib/events/render-event";
import { now } from "@/lib/platform/clock";
import { unseal } from "@/lib/platform/crypto";
import { log } from "@/lib/platform/log";
import { postGuarded } from "@/lib/platform/safe-fetch";
import { type AttemptResult, attemptError } from "@/lib/webhooks/attempt-result";
import type { ClaimedDelivery } from "@/lib/webhooks/claim-deliveries";
import { signWebhook } from "@/lib/webhooks/sign-webhook";
import { SECRET_PURPOSE } from "@/lib/webhooks/webhook-subscription";

const KEEP_BYTES = 4096;
const USER_AGENT = "Trunkline-Webhooks/1";

/** Makes one attempt at a delivery: renders, signs and posts. Never throws; what went wrong is in the result. */
export async function postWebhook(
  agent: Dispatcher,
  delivery: ClaimedDelivery,
  timeoutMs: number,
): Promise<AttemptResult> {
  const startedAt = now();
  const started = performance.now();
  const result = { startedAt, statusCode: null, error: null, responseBody: null };
  const prepared = prepare(delivery);
  if (prepared === null) return { ...result, latencyMs: 0, error: "internal" };
  try {
    const target = new URL(delivery.subscription.targetUrl);
    const answer = await postGuarded(agent, target, { ...prepared, timeoutMs, keepBytes: KEEP_BYTES });
    const latencyMs = performance.now() - started;
    return { ...result, latencyMs, statusCode: answer.status, responseBody: toText(answer.body) };
  } catch (error) {
    return { ...result, latencyMs: performance.now() - started, error: attemptError(error) };
  }
}

function prepare(delivery: ClaimedDelivery): { headers: Record<string, string>; body: string } | null {
  const { event, partnerId, subscription } = delivery;
  try {
    const body = JSON.stringify(renderEvent(event, partnerId, subscription.version));
    return { headers: headersOf(delivery, body), body };
  } catch (error) {
    log.error(
      { err: error, eventId: event.id, subscriptionId: subscription.id },
      "a webhook was not prepared",
    );
    return null;
  }
}

function headersOf({ event, subscription }: ClaimedDelivery, body: string): Record<string, string> {
  const secret = unseal(subscription.sealedSecret, SECRET_PURPOSE);
  const signature = signWebhook(
    { legacy: secret, all: [secret] },
    { subscriptionId: subscription.id, eventId: event.id, eventType: event.type, body, sentAt: new Date() },
  );
  return { "content-type": "application/json", "user-agent": USER_AGENT, ...signature };
}

// PostgreSQL's text holds no NUL; a character cut in half at the end is dropped.
function toText(bytes: Buffer): string {
  return new TextDecoder().decode(bytes, { stream: true }).replaceAll("\0", "");
}
