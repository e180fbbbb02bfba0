import "server-only";
import { setTimeout } from "node:timers/promises";
import { byKey, type Sql, sql, transaction } from "@/lib/platform/database/db";
import { type RowOf, statement } from "@/lib/platform/database/statement";
import { now } from "@/lib/platform/time/clock";
import {
  type ChatQueue,
  hasTurn,
  isOrdered,
  isQueued,
  QUEUES,
  queueParameters,
} from "@/lib/webhooks/deliveries/chat-queue";

/** The most deliveries that one statement ends or makes due when queues are given up. */
const MAX_PASSED = 1000;
const QUEUES_PER_TRANSACTION = 100;
/** How often a delivery that another transaction holds is tried, and the time between the tries. */
const MAX_TRIES = 50;
const RETRY_MS = 20;

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

// A chat whose events only a replay sends has no row yet. A deleted subscription gets none again.
const ADD_QUEUES = statement(
  "add-chat-queues",
  `insert into webhook_sequences (account_id, subscription_id, chat_id, last, turn)
  select q.account_id, q.subscription_id, q.chat_id, 0, 0 from ${QUEUES} q
  where exists (
    select from webhook_subscriptions s
    where s.account_id = q.account_id and s.id = q.subscription_id and s.deleted_at is null)
  order by 1, 2, 3
  on conflict do nothing`,
);

// Runs after the row was locked, so it sees every delivery that was stored under the lock before. A delivery that
// another transaction holds is not waited for: it may be leaving the queue, and its queue is passed again.
const PASS_TURNS = statement(
  "pass-turns",
  `with queue as (
    select q.*, s.is_active, ${isOrdered("s")} as is_ordered, exists (
      select from webhook_deliveries d
      where d.account_id = q.account_id and d.subscription_id = q.subscription_id and d.queue_chat_id = q.chat_id
        and ${isQueued("d")} and ${hasTurn("d")}
    ) as is_taken
    from ${QUEUES} q cross join lateral (
      select is_active, order_by_chat from webhook_subscriptions
      where account_id = q.account_id and id = q.subscription_id offset 0) s
  ), next as (
    select d.*, q.is_active from queue q cross join lateral (
      select w.account_id, w.id, w.subscription_id, w.queue_chat_id from webhook_deliveries w
      where w.account_id = q.account_id and w.subscription_id = q.subscription_id and w.queue_chat_id = q.chat_id
        and ${isQueued("w")} and w.run_at is null
      order by w.event_seq limit case when not q.is_ordered then ${MAX_PASSED} when q.is_taken then 0 else 1 end) d
    limit ${MAX_PASSED}
  ), free as (
    select n.account_id, n.id, n.is_active from next n cross join lateral (
      select d.id from webhook_deliveries d
      where ${byKey("d", { account_id: "n.account_id", id: "n.id" })}
        and d.queue_chat_id = n.queue_chat_id and d.status = 'waiting' and d.run_at is null
      offset 0 for no key update skip locked) locked
  ), passed as (
    update webhook_deliveries d
    set run_at = case when free.is_active then :at::timestamptz end, stopped_at = null,
      status = case when free.is_active then d.status else 'skipped' end,
      ended_at = case when not free.is_active then :at end
    from free
    where ${byKey("d", { account_id: "free.account_id", id: "free.id" })}
    returning d.id, d.sequence, d.run_at
  ), result as (
    select q.account_id, q.subscription_id, q.chat_id, q.is_taken, q.is_ordered, count(p.id) as passed,
      count(p.run_at) as due, min(p.sequence) as sequence,
      count(n.id) > count(p.id)
        or ((select count(*) from next) = ${MAX_PASSED} and not (q.is_ordered and (q.is_taken or count(n.id) > 0))) as is_left
    from queue q
    left join next n on n.subscription_id = q.subscription_id and n.queue_chat_id = q.chat_id
    left join passed p on p.id = n.id
    group by 1, 2, 3, 4, 5
  ), noted as (
    update webhook_sequences known set turn = case
      when q.is_taken or q.is_left then coalesce(known.turn, 0)
      when q.is_ordered and q.passed > 0 then coalesce(q.sequence, 0) end
    from result q where ${byKey("known", KEY)}
  )
  select subscription_id as "subscriptionId!", chat_id as "chatId!", is_ordered as "isOrdered!", is_left as "isLeft!",
    passed::int as "passed!", due::int as "due!"
  from result`,
);

/**
 * Gives the turn of each queue to its first waiting delivery, unless a delivery has it: one that is due, is being
 * attempted, waits for its retry, or stopped the chat. A queue that is given up ends: that of a subscription that is not
 * active as skipped, and one whose subscription no longer has an order becomes due. At most 1,000 deliveries in all; the
 * schedule ends the others (`mendQueues`). Never waits: returns the queues that are left for `passHeldTurn`, because
 * another transaction holds their row or their first delivery, or they have no row. `at` is the platform clock.
 */
export async function passFreeTurns(tx: Sql, queues: readonly ChatQueue[], at: Date): Promise<ChatQueue[]> {
  return (await passFree(tx, queues, at)).held;
}

interface Unpassed {
  /** The queues that `passFreeTurns` returns. */
  held: ChatQueue[];
  /** Queues that are given up, in which deliveries are left. */
  ending: ChatQueue[];
}

async function passFree(tx: Sql, queues: readonly ChatQueue[], at: Date): Promise<Unpassed> {
  if (queues.length === 0) return { held: [], ending: [] };
  const locked = await tx.run(LOCK_FREE_QUEUES, queueParameters(queues));
  const isLocked = ({ subscriptionId, chatId }: ChatQueue) =>
    locked.some((row) => row.subscription_id === subscriptionId && row.chat_id === chatId);
  const rows = await pass(tx, queues.filter(isLocked), at);
  const left = queues.flatMap((queue) => {
    const row = rows.find(
      (each) => each.subscriptionId === queue.subscriptionId && each.chatId === queue.chatId,
    );
    return row?.isLeft === false ? [] : { queue, isEnding: row?.isOrdered === false };
  });
  return {
    held: left.flatMap(({ queue, isEnding }) => (isEnding ? [] : queue)),
    ending: left.flatMap(({ queue, isEnding }) => (isEnding ? queue : [])),
  };
}

/**
 * Like `passFreeTurns` for one queue, but waits for its row. Leaves the queue to the schedule when another transaction
 * holds its deliveries for long. Returns whether the queue is given up and more deliveries are left in it.
 */
export async function passHeldTurn(queue: ChatQueue): Promise<boolean> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const row = await transaction(async (tx) => {
      const known = await tx.run(LOCK_QUEUE, { ...queue });
      if (known.length === 0) {
        await tx.run(ADD_QUEUES, queueParameters([queue]));
        await tx.run(LOCK_QUEUE, { ...queue });
      }
      return (await pass(tx, [queue], now()))[0];
    });
    if (row?.isLeft !== true) return false;
    if (row.passed > 0) return true;
    await setTimeout(RETRY_MS);
  }
  return false;
}

/**
 * Passes the turn of any number of queues, in short transactions, one after the other: first those that are free. Each is
 * passed once, so that the callers do not wait for queues that are given up: the schedule ends these.
 */
export async function passQueues(queues: readonly ChatQueue[]): Promise<void> {
  const { held } = await passAllFree(queues);
  for (const queue of held) await passHeldTurn(queue);
}

/** Like `passQueues`, and goes on until the queues that are given up are empty. */
export async function emptyQueues(queues: readonly ChatQueue[]): Promise<void> {
  const { held, ending } = await passAllFree(queues);
  for (const queue of [...held, ...ending]) {
    let isLeft = true;
    while (isLeft) isLeft = await passHeldTurn(queue);
  }
}

async function passAllFree(queues: readonly ChatQueue[]): Promise<Unpassed> {
  const all: Unpassed = { held: [], ending: [] };
  for (let start = 0; start < queues.length; start += QUEUES_PER_TRANSACTION) {
    const chunk = queues.slice(start, start + QUEUES_PER_TRANSACTION);
    const { held, ending } = await transaction((tx) => passFree(tx, chunk, now()));
    all.held.push(...held);
    all.ending.push(...ending);
  }
  return all;
}

/** Gives each queue the row that its live events look at, so that they wait behind the deliveries of a replay. */
export async function addQueues(queues: readonly ChatQueue[]): Promise<void> {
  if (queues.length > 0) await sql.run(ADD_QUEUES, queueParameters(queues));
}

async function pass(
  tx: Sql,
  queues: readonly ChatQueue[],
  at: Date,
): Promise<readonly RowOf<"pass-turns">[]> {
  if (queues.length === 0) return [];
  const rows = await tx.run(PASS_TURNS, { ...queueParameters(queues), at });
  if (rows.some(({ due }) => due > 0)) tx.wake("deliveries");
  return rows;
}
