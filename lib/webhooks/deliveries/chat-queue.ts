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
