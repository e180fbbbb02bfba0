import "server-only";
import { hasRows } from "@/lib/platform/database/has-rows";
import { type Queue, startQueue } from "@/lib/platform/database/queue";
import { wakeLocally } from "@/lib/platform/database/wake";
import { env } from "@/lib/platform/env";
import { guardedAgent } from "@/lib/platform/guarded-fetch/safe-fetch";
import { log } from "@/lib/platform/telemetry/log";
import { webhookAttempts, webhookLag } from "@/lib/platform/telemetry/metrics";
import { isTracing, parentOfStep, recordSpan, spanTime, stepSpanId } from "@/lib/platform/telemetry/spans";
import { now } from "@/lib/platform/time/clock";
import {
  type AttemptResult,
  evaluateAttempt,
  isHealthy,
} from "@/lib/webhooks/deliveries/attempt/attempt-result";
import { postWithFaults } from "@/lib/webhooks/deliveries/attempt/post-with-faults";
import type { ChatQueue } from "@/lib/webhooks/deliveries/chat-queue";
import { type ClaimedDelivery, claimDeliveries } from "@/lib/webhooks/deliveries/claim/claim-deliveries";
import { EndpointSlots } from "@/lib/webhooks/deliveries/claim/endpoint-slots";
import { EndpointStarts } from "@/lib/webhooks/deliveries/claim/endpoint-starts";
import { postponeUnreadable } from "@/lib/webhooks/deliveries/claim/postpone-unreadable";
import { recordInOrder } from "@/lib/webhooks/deliveries/order/record-in-order";
import { passQueues } from "@/lib/webhooks/deliveries/pass-turns";
import { clearGone, recordGone } from "@/lib/webhooks/deliveries/record/record-gone";
import { storeRoutingToken } from "@/lib/webhooks/deliveries/record/store-routing-token";
import { webhookAllowList } from "@/lib/webhooks/targets/webhook-target";

const GONE = 410;
const MAX_IN_FLIGHT = 512;
const POLL_MS = 500;
const RESPONSE_TIMEOUT_MS = 10_000;

export interface DeliveryOptions {
  /** Time limit for an endpoint's response. */
  answerMs?: number;
  /** LEASE_SECONDS by default. An expired lease means that its process died. */
  leaseMs?: number;
}

/**
 * Posts due deliveries until stopped: at least once, with endpoints isolated from each other, every attempt recorded,
 * and retries on the schedule (docs/contract.md, section 12.8).
 */
export function startWebhookDelivery(options: DeliveryOptions = {}): Queue {
  const answerMs = options.answerMs ?? RESPONSE_TIMEOUT_MS;
  const leaseMs = options.leaseMs ?? env().LEASE_SECONDS * 1000;
  const slots = new EndpointSlots(MAX_IN_FLIGHT);
  const starts = new EndpointStarts();
  const limits = { connectionsPerOrigin: MAX_IN_FLIGHT, connectTimeoutMs: answerMs };
  const agents = {
    sandbox: guardedAgent({ allow: webhookAllowList("sandbox"), ...limits }),
    production: guardedAgent({ allow: webhookAllowList("production"), ...limits }),
  };

  // Slots that become free during a claim are filled after it, because an immediate claim would find almost nothing.
  let claiming = false;
  // The deliveries claimed with skipped ones do not wait for the turns of these.
  let passing = Promise.resolve();
  const isReady = (subscriptionId: string) => !claiming && slots.isReady(subscriptionId);

  async function claim(limit: number): Promise<ClaimedDelivery[]> {
    const most = Math.min(limit, slots.claimable);
    claiming = true;
    const { claimed, skipped, skippedQueues } = await claimDeliveries(slots, {
      limit: most,
      leaseMs,
      starts,
    }).finally(() => {
      claiming = false;
    });
    for (const { subscription } of claimed) slots.take(subscription.id);
    if (skippedQueues.length > 0) passing = passing.then(() => passSkipped(skippedQueues));
    // There may be more deliveries behind the skipped ones, and some reserved slots are for idle endpoints only.
    if (skipped > 0 || slots.anyReady || (claimed.length === most && most < limit)) wakeLocally("deliveries");
    return claimed;
  }

  const queue = startQueue<ClaimedDelivery>({
    name: "webhook deliveries",
    topic: "deliveries",
    most: MAX_IN_FLIGHT,
    pollMs: POLL_MS,
    hasWaiting: () => hasRows("webhook_deliveries", "run_at is not null"),
    claim,
    afterItem: ({ item }) => (isReady(item.subscription.id) ? "claim" : "wait"),
    async handle(delivery) {
      const result = await postWithFaults(agents[delivery.accountType], delivery, answerMs);
      observeAttempt(delivery, result);
      if (isTracing()) traceAttempt(delivery, result);
      const { id } = delivery.subscription;
      slots.release(id, isHealthy(result));
      // Claim while this attempt is being recorded, so that the next delivery does not wait for the disk.
      if (isReady(id)) wakeLocally("deliveries");
      if (result.error === "secret_unreadable") return postponeUnreadable(delivery, now());
      const evaluation = evaluateAttempt(
        result,
        delivery,
        delivery.ladder ?? env().WEBHOOK_RETRY_SECONDS,
        Math.random(),
      );
      // Before the attempt is recorded: if the process ends in between, the delivery ends as skipped, and the
      // endpoint stays disabled.
      if (result.statusCode === GONE) await recordGone(delivery, result.startedAt, now());
      if (evaluation.status === "delivered") await clearGone(delivery);
      await storeRoutingToken(delivery, result.routingToken ?? null, result.startedAt);
      await recordInOrder({ delivery, result, evaluation, at: now() });
    },
  });

  return {
    async stop() {
      await queue.stop();
      await passing;
      await Promise.all(Object.values(agents).map((agent) => agent.close()));
    },
  };
}

// If it fails, the schedule passes their turn.
async function passSkipped(queues: readonly ChatQueue[]): Promise<void> {
  await passQueues(queues).catch((error: unknown) => {
    log.error({ err: error }, "the queues of an endpoint that is not active did not end");
  });
}

function observeAttempt({ attempt, event }: ClaimedDelivery, result: AttemptResult): void {
  if (attempt === 1) webhookLag.observe(Math.max(0, now().getTime() - event.createdAt.getTime()) / 1000);
  const outcome = result.statusCode === null ? result.error : `${Math.floor(result.statusCode / 100)}xx`;
  webhookAttempts.inc({ outcome: outcome === "2xx" ? "success" : (outcome ?? "unknown") });
}

function traceAttempt(delivery: ClaimedDelivery, { latencyMs, statusCode, error }: AttemptResult): void {
  const { id, accountId, attempt, event, subscription } = delivery;
  const end = spanTime();
  recordSpan({
    traceId: event.traceId,
    spanId: stepSpanId("webhook attempt", `${id} ${attempt}`),
    parentSpanId: parentOfStep(event.traceId),
    name: "webhook attempt",
    kind: "client",
    start: end - latencyMs,
    end,
    attributes: {
      "http.request.method": "POST",
      "http.response.status_code": statusCode,
      "error.type": error,
      "trunkline.account.id": accountId,
      "trunkline.event.type": event.type,
      "trunkline.event.id": event.id,
      "trunkline.subscription.id": subscription.id,
      "trunkline.delivery.id": id,
      "trunkline.attempt": attempt,
    },
    isError: statusCode === null || statusCode >= 300,
  });
}
