import "server-only";
import { setTimeout as sleep } from "node:timers/promises";
import type { Dispatcher } from "undici";
import { findFault, hasFaults } from "@/lib/platform/sandbox/find-fault";
import type { FaultEffect } from "@/lib/platform/sandbox/injected-fault";
import { now } from "@/lib/platform/time/clock";
import type { AttemptResult } from "@/lib/webhooks/deliveries/attempt/attempt-result";
import { postWebhook } from "@/lib/webhooks/deliveries/attempt/post-webhook";
import type { ClaimedDelivery } from "@/lib/webhooks/deliveries/claim/claim-deliveries";

const HELD_BACK_MS = 1000;

/** Like `postWebhook`, with the injected fault of a sandbox account that acts on the delivery. */
export async function postWithFaults(
  agent: Dispatcher,
  delivery: ClaimedDelivery,
  timeoutMs: number,
): Promise<AttemptResult> {
  if (delivery.accountType !== "sandbox" || !hasFaults(delivery.accountId)) {
    return postWebhook(agent, delivery, timeoutMs);
  }
  const { event, subscription } = delivery;
  const effect = await findFault(delivery.accountId, ({ event: type, endpoint }) => {
    if (type === undefined && endpoint === undefined) return false;
    const isEndpoint = endpoint === subscription.id || endpoint === subscription.targetUrl;
    return (type === undefined || type === event.type) && (endpoint === undefined || isEndpoint);
  });
  const post = () => postWebhook(agent, delivery, timeoutMs);
  return effect === null ? post() : applyEffect(effect, timeoutMs, post);
}

async function applyEffect(
  { type, status = 500, delay_ms }: FaultEffect,
  timeoutMs: number,
  post: () => Promise<AttemptResult>,
): Promise<AttemptResult> {
  switch (type) {
    case "error":
      return notPosted({ statusCode: status, responseBody: "an injected fault of the simulator" });
    case "drop":
      return notPosted({ error: "reset" });
    case "duplicate":
      await post();
      return post();
    case "reorder":
      await sleep(delay_ms ?? HELD_BACK_MS);
      return post();
    case "latency":
    case "stall":
      return answerLate(type === "stall" ? timeoutMs : (delay_ms ?? 0), timeoutMs, post);
  }
}

/** An endpoint that takes this long. At the time limit, the attempt ends without a response. */
async function answerLate(
  delayMs: number,
  timeoutMs: number,
  post: () => Promise<AttemptResult>,
): Promise<AttemptResult> {
  const startedAt = now();
  await sleep(Math.min(delayMs, timeoutMs));
  if (delayMs < timeoutMs) return post();
  return notPosted({ error: "timeout", latencyMs: timeoutMs, startedAt });
}

function notPosted(result: Partial<AttemptResult>): AttemptResult {
  return {
    startedAt: now(),
    latencyMs: 0,
    timing: null,
    request: null,
    statusCode: null,
    error: null,
    responseHeaders: null,
    responseBody: null,
    retryAfterMs: null,
    ...result,
  };
}
