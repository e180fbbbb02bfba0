import "server-only";
import { byKey, type Sql, transaction } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { now } from "@/lib/platform/time/clock";
import { type ChatQueue, QUEUES, queueParameters } from "@/lib/webhooks/deliveries/order/chat-queue";

/** The most deliveries of a queue that one statement ends or makes due when the queue is given up. */
const MOST = 1000;

const KEY = { account_id: "q.account_id", subscription_id: "q.subscription_id", chat_id: "q.chat_id" };

// The statement that stores an event locks the same row before it decides whether the event's delivery waits.
const LOCK_FREE_QUEUES = statement(
  "lock-free-chat-queues",
  `select locked.subscription_id, locked.chat_id from ${QUEUES} q cross join lateral (
    select account_id, subscription_id, chat_id from webhook_sequences known
    where ${byKey("known", KEY)} offset 0 for no key update skip locked) locked`,
);

const LOCK_QUEUE = statement(
  "lock-chat-queue",
  `select from webhook_sequences
  where account_id = :accountId and subscription_id = :subscriptionId and chat_id = :chatId for no key update`,
);

// Runs after the row was locked, so it sees every delivery that was stored under the lock before.
const PASS_TURNS = statement(
  "pass-turns",
  `with queue as (
    select q.*, s.is_active, s.is_active and coalesce(s.order_by_chat, false) as is_ordered, exists (
      select from webhook_deliveries d
      where d.account_id = q.account_id and d.subscription_id = q.subscription_id and d.queue_chat_id = q.chat_id
        and d.queue_chat_id is not null and d.status = 'waiting' and (d.run_at is not null or d.stopped_at is not null)
    ) as is_taken
    from ${QUEUES} q cross join lateral (
      select is_active, order_by_chat from webhook_subscriptions
      where account_id = q.account_id and id = q.subscription_id offset 0) s
  ), next as (
    select d.account_id, d.id, q.is_active from queue q cross join lateral (
      select account_id, id from webhook_deliveries
      where account_id = q.account_id and subscription_id = q.subscription_id and queue_chat_id = q.chat_id
        and queue_chat_id is not null and status = 'waiting' and run_at is null
      order by event_seq limit case when not q.is_ordered then ${MOST} when q.is_taken then 0 else 1 end) d
  ), passed as (
    update webhook_deliveries d
    set run_at = case when next.is_active then :at::timestamptz end, stopped_at = null,
      status = case when next.is_active then d.status else 'skipped' end,
      ended_at = case when not next.is_active then :at end
    from next
    where ${byKey("d", { account_id: "next.account_id", id: "next.id" })} and d.status = 'waiting' and d.run_at is null
    returning d.subscription_id, d.queue_chat_id, d.sequence, d.run_at
  ), noted as (
    update webhook_sequences known set turn = case when q.is_taken then coalesce(known.turn, 0) else (
      select coalesce(min(p.sequence), 0) from passed p
      where p.subscription_id = q.subscription_id and p.queue_chat_id = q.chat_id
      having count(*) > 0 and (q.is_ordered or count(*) = ${MOST})) end
    from queue q where ${byKey("known", KEY)}
  )
  select count(*)::int as "passed!", count(run_at)::int as "due!" from passed`,
);

/**
 * Gives the turn of each queue to its first waiting delivery, unless a delivery has it: one that is due, is being
 * attempted, waits for its retry, or stopped the chat. A queue of a subscription that is not active ends as skipped,
 * and one whose subscription no longer has an order becomes due, 1,000 deliveries at a time. Never waits: returns the
 * queues whose row another transaction holds, or that have none, for `passTurn`. `at` is the platform clock.
 */
export async function passTurns(tx: Sql, queues: readonly ChatQueue[], at: Date): Promise<ChatQueue[]> {
  if (queues.length === 0) return [];
  const locked = await tx.run(LOCK_FREE_QUEUES, queueParameters(queues));
  const isLocked = ({ subscriptionId, chatId }: ChatQueue) =>
    locked.some((row) => row.subscription_id === subscriptionId && row.chat_id === chatId);
  await pass(tx, queues.filter(isLocked), at);
  return queues.filter((queue) => !isLocked(queue));
}

/** Like `passTurns` for one queue, but waits for its row, and goes on until a queue that is given up is empty. */
export async function passTurn(queue: ChatQueue): Promise<void> {
  let passed = MOST;
  while (passed === MOST) {
    passed = await transaction(async (tx) => {
      await tx.run(LOCK_QUEUE, { ...queue });
      return pass(tx, [queue], now());
    });
  }
}

async function pass(tx: Sql, queues: readonly ChatQueue[], at: Date): Promise<number> {
  if (queues.length === 0) return 0;
  const [row] = await tx.run(PASS_TURNS, { ...queueParameters(queues), at });
  if ((row?.due ?? 0) > 0) tx.wake("deliveries");
  return row?.passed ?? 0;
}
