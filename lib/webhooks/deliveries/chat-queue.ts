import "server-only";

/** The deliveries of one chat to one subscription, which go one after the other (docs/decisions/0045). */
export interface ChatQueue {
  accountId: string;
  subscriptionId: string;
  chatId: string;
}

/** The parameters of statements about several queues. */
export function queueParameters(queues: readonly ChatQueue[]) {
  return {
    accountIds: queues.map(({ accountId }) => accountId),
    subscriptionIds: queues.map(({ subscriptionId }) => subscriptionId),
    chatIds: queues.map(({ chatId }) => chatId),
  };
}

/** The queues of `queueParameters`, in the order in which their rows are locked. */
export const QUEUES = `(select distinct * from unnest(:accountIds::uuid[], :subscriptionIds::uuid[], :chatIds::uuid[])
    as t(account_id, subscription_id, chat_id) order by 1, 2, 3)`;

/** SQL for whether the delivery `d` is in the queue of its chat. */
export function isQueued(d: string): string {
  return `${d}.queue_chat_id is not null and ${d}.status = 'waiting'`;
}

/** SQL for whether the delivery `d` of a queue has the turn: it is due, in flight or to be retried, or stopped its chat. */
export function hasTurn(d: string): string {
  return `(${d}.run_at is not null or ${d}.stopped_at is not null)`;
}

/** SQL for whether the subscription `s` delivers the events of each chat in order. */
export function isOrdered(s: string): string {
  return `(${s}.is_active and coalesce(${s}.order_by_chat, false))`;
}
