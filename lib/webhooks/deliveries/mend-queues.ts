import "server-only";
import { isStopped } from "@/lib/events/store/delivery-state";
import { sql, transaction } from "@/lib/platform/database/db";
import { plannedStatement } from "@/lib/platform/database/statement";
import { log } from "@/lib/platform/telemetry/log";
import { now } from "@/lib/platform/time/clock";
import { type ChatQueue, hasTurn, isOrdered, isQueued } from "@/lib/webhooks/deliveries/chat-queue";
import { emptyQueues, passFreeTurns } from "@/lib/webhooks/deliveries/pass-turns";
import { withdrawUnlessStopped } from "@/lib/webhooks/subscriptions/endpoint-notice";

/** The most queues, or notices, that one search returns. */
const MAX_FOUND = 1000;
/** The most queues that a request passes itself. */
const MAX_QUEUES_OF_REQUEST = 100;
const FIRST_ID = "00000000-0000-0000-0000-000000000000";

// Steps from queue to queue in the index. A queue needs its turn passed when no delivery has it, or when deliveries
// wait for a turn although their subscription is not active or has no order.
function findUnturned(after: (queue: string) => string, first: string): string {
  const step = (condition: string) => `select d.account_id, d.subscription_id, d.queue_chat_id
      from webhook_deliveries d where ${isQueued("d")} and ${condition}
      order by d.account_id, d.subscription_id, d.queue_chat_id limit 1`;
  const inQueue = `d.account_id = q.account_id and d.subscription_id = q.subscription_id
      and d.queue_chat_id = q.queue_chat_id and ${isQueued("d")}`;
  return `with recursive queue as (
    (${step(after(first))})
    union all
    select found.* from queue q cross join lateral (${step(after("q.account_id, q.subscription_id, q.queue_chat_id"))}) found
  ), seen as (select * from queue limit ${MAX_FOUND})
  select q.account_id as "accountId!", q.subscription_id as "subscriptionId!", q.queue_chat_id as "chatId!",
    case when ${isOrdered("s")}
      then not exists (select from webhook_deliveries d where ${inQueue} and ${hasTurn("d")})
      else exists (select from webhook_deliveries d where ${inQueue} and d.run_at is null) end as "isUnturned!"
  from seen q join webhook_subscriptions s on s.account_id = q.account_id and s.id = q.subscription_id
  order by 1, 2, 3`;
}

const FIND_UNTURNED_QUEUES = plannedStatement(
  "find-unturned-queues",
  findUnturned(
    (queue) => `(d.account_id, d.subscription_id, d.queue_chat_id) > (${queue})`,
    ":accountId::uuid, :subscriptionId::uuid, :chatId::uuid",
  ),
);

const FIND_UNTURNED_OF_ENDPOINT = plannedStatement(
  "find-unturned-of-endpoint",
  findUnturned(
    (queue) => `d.account_id = :accountId and d.subscription_id = :subscriptionId
      and d.queue_chat_id > (${queue.split(", ").at(-1)})`,
    ":chatId::uuid",
  ),
);

const FIND_STALE_STOPPED_NOTICES = plannedStatement(
  "find-stale-stopped-notices",
  `select n.account_id as "accountId!", n.object_id as "id!" from account_notices n
  where n.kind = 'webhook_chats_stopped' and n.dismissed_at is null and not exists (
    select from webhook_deliveries d
    where d.account_id = n.account_id and d.subscription_id = n.object_id and ${isStopped("d")})
  limit ${MAX_FOUND}`,
);

const LOCK_ENDPOINT_OF_NOTICE = plannedStatement(
  "lock-endpoint-of-notice",
  "select from webhook_subscriptions where account_id = :accountId and id = :id for no key update",
);

// The delivery may have been erased. A chat that is just stopping holds the endpoint, and its notice stays.
async function withdrawStale(): Promise<void> {
  for (const endpoint of await sql.run(FIND_STALE_STOPPED_NOTICES)) {
    await transaction(async (tx) => {
      await tx.run(LOCK_ENDPOINT_OF_NOTICE, endpoint);
      await withdrawUnlessStopped(tx, endpoint, now());
    });
  }
}

/**
 * Passes the turn of every queue that has none: its delivery ended without the next one, because a process ended in
 * between, a replay was paused or canceled, or its subscription was paused or gave up the order. Withdraws the notice of
 * endpoints that have no stopped chats any more. Runs on a schedule.
 * Returns the number of queues.
 */
export async function mendQueues(stop: AbortSignal): Promise<number> {
  let mended = 0;
  let after = { accountId: FIRST_ID, subscriptionId: FIRST_ID, chatId: FIRST_ID };
  for (;;) {
    const queues = await sql.run(FIND_UNTURNED_QUEUES, after);
    mended += await passEach(queues);
    const last = queues.at(-1);
    if (last === undefined || queues.length < MAX_FOUND || stop.aborted) break;
    after = { accountId: last.accountId, subscriptionId: last.subscriptionId, chatId: last.chatId };
  }
  await withdrawStale();
  return mended;
}

/**
 * Begins the work of `mendQueues` for a subscription, at once and without waiting: at most 100 queues and 1,000
 * deliveries. The others follow on the schedule. Never fails, because the change that it follows is stored.
 */
export async function mendQueuesOf(accountId: string, subscriptionId: string): Promise<void> {
  try {
    const found = await sql.run(FIND_UNTURNED_OF_ENDPOINT, { accountId, subscriptionId, chatId: FIRST_ID });
    const unturned = found.filter(({ isUnturned }) => isUnturned).slice(0, MAX_QUEUES_OF_REQUEST);
    await transaction((tx) => passFreeTurns(tx, unturned, now()));
  } catch (error) {
    log.error({ err: error }, "the queues of an endpoint were not passed at once");
  }
}

async function passEach(queues: readonly (ChatQueue & { isUnturned: boolean })[]): Promise<number> {
  const unturned = queues.filter(({ isUnturned }) => isUnturned);
  await emptyQueues(unturned);
  return unturned.length;
}
