import "server-only";
import { batched } from "@/lib/platform/database/batch";
import { byKey, type Sql, transaction } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { now } from "@/lib/platform/time/clock";
import { type ChatQueue, isOrdered } from "@/lib/webhooks/deliveries/chat-queue";
import type { ClaimedDelivery } from "@/lib/webhooks/deliveries/claim/claim-deliveries";
import { passFreeTurns, passHeldTurn, passQueues } from "@/lib/webhooks/deliveries/pass-turns";
import { type Outcome, recordAttempt, storeAttempts } from "@/lib/webhooks/deliveries/record/record-attempts";
import { noticeStopped } from "@/lib/webhooks/subscriptions/endpoint-notice";

type Recorded = "done" | "queue held" | "endpoint held";

/**
 * Stores an attempt like `recordAttempt`. When a delivery in a chat's queue ends, the next one of the chat becomes due
 * in the same transaction. One that permanently fails stops its chat instead if its subscription still says so.
 */
export async function recordInOrder(outcome: Outcome): Promise<void> {
  const { delivery, evaluation } = outcome;
  if (delivery.queueChatId === null || evaluation.status === "waiting") return recordAttempt(outcome);
  let recorded = await endFree(outcome);
  if (recorded === "endpoint held") recorded = await endWaiting(outcome);
  if (recorded === "queue held") await passLater(queueOf(delivery));
}

const ENDPOINTS = `select s.id, ${isOrdered("s")} and coalesce(s.stop_exhausted, false) as "stops!"
  from webhook_subscriptions s where s.account_id = any(:accountIds::uuid[]) and s.id = any(:ids::uuid[])
  order by s.id for no key update`;

const LOCK_ENDPOINTS = statement("lock-endpoints-of-stops", ENDPOINTS);
const LOCK_FREE_ENDPOINTS = statement("lock-free-endpoints-of-stops", `${ENDPOINTS} skip locked`);

// A row that is held, by a transaction that changes an endpoint or stores an event of the chat, must not delay the
// others of the batch. Only one transaction of each kind waits, so that waiting takes few connections.
const endFree = batched<Outcome, Recorded>({
  keyOf: ({ delivery }) => delivery.id,
  runOne: async (outcome) => (await store([outcome], false))[0] ?? "done",
  runMany: (outcomes) => store(outcomes, false),
});

const endWaiting = batched<Outcome, Recorded>({
  runOne: async (outcome) => (await store([outcome], true))[0] ?? "done",
  runMany: (outcomes) => store(outcomes, true),
});

const passLater = batched<ChatQueue, void>({
  runOne: async (queue) => {
    await passHeldTurn(queue);
  },
  runMany: async (queues) => {
    await passQueues(queues);
    return [];
  },
});

function store(outcomes: readonly Outcome[], waits: boolean): Promise<Recorded[]> {
  const at = outcomes[0]?.at ?? now();
  return transaction(async (tx) => {
    // Locked first, so that no other recording waits for what this one holds.
    const locked = await lockEndpoints(tx, outcomes.filter(mayStop), waits);
    const isFree = (outcome: Outcome) =>
      waits || !mayStop(outcome) || locked.has(outcome.delivery.subscription.id);
    const stops = (outcome: Outcome) =>
      mayStop(outcome) && locked.get(outcome.delivery.subscription.id) === true;

    const free = outcomes.filter(isFree);
    if (free.length > 0)
      await storeAttempts(
        tx,
        free.map((outcome) => (stops(outcome) ? waiting(outcome) : outcome)),
      );
    await stopChats(tx, free.filter(stops), at);
    const ended = free.filter((outcome) => !stops(outcome));
    const queues = new Map(ended.map((outcome) => [outcome, queueOf(outcome.delivery)]));
    const held = await passFreeTurns(tx, [...queues.values()], at);
    return outcomes.map((outcome) => {
      if (!isFree(outcome)) return "endpoint held";
      return held.some((queue) => queue === queues.get(outcome)) ? "queue held" : "done";
    });
  });
}

function mayStop({ delivery, evaluation }: Outcome): boolean {
  return evaluation.status === "failed" && delivery.stopsChat;
}

function waiting(outcome: Outcome): Outcome {
  return { ...outcome, evaluation: { status: "waiting", retryInMs: null } };
}

function queueOf({ accountId, subscription, queueChatId }: ClaimedDelivery): ChatQueue {
  if (queueChatId === null) throw new Error("the delivery is in no queue");
  return { accountId, subscriptionId: subscription.id, chatId: queueChatId };
}

// Whether each endpoint stops chats. It may have been paused, or its order switched off, since the claim.
async function lockEndpoints(
  tx: Sql,
  outcomes: readonly Outcome[],
  waits: boolean,
): Promise<ReadonlyMap<string, boolean>> {
  if (outcomes.length === 0) return new Map();
  const rows = await tx.run(waits ? LOCK_ENDPOINTS : LOCK_FREE_ENDPOINTS, {
    accountIds: outcomes.map(({ delivery }) => delivery.accountId),
    ids: outcomes.map(({ delivery }) => delivery.subscription.id),
  });
  return new Map(rows.map(({ id, stops }) => [id, stops]));
}

// Only the claim that the attempt belongs to stops the chat.
const STOP_CHATS = statement(
  "stop-chats",
  `update webhook_deliveries d set stopped_at = :at
  from unnest(:accountIds::uuid[], :ids::uuid[], :attempts::int[]) as o(account_id, id, attempt)
  where ${byKey("d", { account_id: "o.account_id", id: "o.id" })} and d.attempts = o.attempt and d.status = 'waiting'
    and d.run_at is null and d.lease_until is null
  returning d.subscription_id`,
);

async function stopChats(tx: Sql, outcomes: readonly Outcome[], at: Date): Promise<void> {
  if (outcomes.length === 0) return;
  const stopped = await tx.run(STOP_CHATS, {
    accountIds: outcomes.map(({ delivery }) => delivery.accountId),
    ids: outcomes.map(({ delivery }) => delivery.id),
    attempts: outcomes.map(({ delivery }) => delivery.attempt),
    at,
  });
  const ids = new Set(stopped.map((row) => row.subscription_id));
  for (const { accountId, subscription } of outcomes.map(({ delivery }) => delivery)) {
    if (!ids.delete(subscription.id)) continue;
    await noticeStopped(tx, { accountId, id: subscription.id, targetUrl: subscription.targetUrl }, at);
  }
}
