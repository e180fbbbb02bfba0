import "server-only";
import { batched } from "@/lib/platform/database/batch";
import { transaction } from "@/lib/platform/database/db";
import { plannedStatement } from "@/lib/platform/database/statement";
import { now } from "@/lib/platform/time/clock";
import type { ClaimedDelivery } from "@/lib/webhooks/deliveries/claim/claim-deliveries";
import type { ChatQueue } from "@/lib/webhooks/deliveries/order/chat-queue";
import { passTurn, passTurns } from "@/lib/webhooks/deliveries/order/pass-turns";
import { type Outcome, recordAttempt, storeAttempts } from "@/lib/webhooks/deliveries/record/record-attempts";
import { noticeStopped } from "@/lib/webhooks/subscriptions/endpoint-notice";

/**
 * Stores an attempt like `recordAttempt`. When a delivery in a chat's queue ends, the next one of the chat becomes due
 * in the same transaction. One that fails for good stops its chat instead if its subscription says so.
 */
export async function recordInOrder(outcome: Outcome): Promise<void> {
  const { delivery, evaluation } = outcome;
  if (delivery.queueChatId === null || evaluation.status === "waiting") return recordAttempt(outcome);
  if (evaluation.status === "failed" && delivery.stopsChat) return stopChat(outcome);
  const held = await endInOrder(outcome);
  if (held !== null) await passTurn(held);
}

// Returns the queue if its row is held, by a transaction that stores an event of the chat: the others of the batch must
// not wait for it.
const endInOrder = batched<Outcome, ChatQueue | null>({
  keyOf: ({ delivery }) => delivery.id,
  runOne: async (outcome) => (await store([outcome]))[0] ?? null,
  runMany: store,
});

async function store(outcomes: readonly Outcome[]): Promise<(ChatQueue | null)[]> {
  const queues = outcomes.map(({ delivery }) => queueOf(delivery));
  const at = outcomes[0]?.at ?? now();
  const held = await transaction(async (tx) => {
    await storeAttempts(tx, outcomes);
    return passTurns(
      tx,
      queues.filter((queue) => queue !== null),
      at,
    );
  });
  return queues.map((queue) => held.find((other) => other === queue) ?? null);
}

function queueOf({ accountId, subscription, queueChatId }: ClaimedDelivery): ChatQueue | null {
  return queueChatId === null ? null : { accountId, subscriptionId: subscription.id, chatId: queueChatId };
}

const LOCK_ENDPOINT_OF_STOP = plannedStatement(
  "lock-endpoint-of-stop",
  "select from webhook_subscriptions where account_id = :accountId and id = :subscriptionId for no key update",
);

// Only the claim that the attempt belongs to stops the chat.
const STOP_CHAT = plannedStatement(
  "stop-chat",
  `update webhook_deliveries set stopped_at = :at
  where account_id = :accountId and id = :id and attempts = :attempt and status = 'waiting' and run_at is null
    and lease_until is null
  returning id`,
);

async function stopChat(outcome: Outcome): Promise<void> {
  const { delivery, at } = outcome;
  const { accountId, id, attempt, subscription } = delivery;
  await transaction(async (tx) => {
    await storeAttempts(tx, [{ ...outcome, evaluation: { status: "waiting", retryInMs: null } }]);
    const stopped = await tx.run(STOP_CHAT, { accountId, id, attempt, at });
    if (stopped.length === 0) return;
    // Held until the commit, so that only one of several chats that stop adds the notice. Locked after the delivery,
    // as the claim does.
    await tx.run(LOCK_ENDPOINT_OF_STOP, { accountId, subscriptionId: subscription.id });
    await noticeStopped(tx, { accountId, id: subscription.id, targetUrl: subscription.targetUrl }, at);
  });
}
