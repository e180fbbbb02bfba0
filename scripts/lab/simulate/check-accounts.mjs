const MAX_PROCESS_BYTES = 800 * 1024 * 1024;
const FINAL = ["succeeded", "canceled", "expired"];

export const ACCOUNT_INVARIANTS = [
  {
    name: "one end per payment",
    sentence: "A payment request ends once, with one event, and is paid if and only if it succeeded.",
    isAnytime: false,
    check: ({ payments, events }) => {
      const ends = Map.groupBy(
        events.filter(
          ({ type, internal }) => !internal && FINAL.some((status) => type === `payment.${status}`),
        ),
        ({ dataId }) => dataId,
      );
      return payments.filter(({ id, status, isPaid }) => {
        const types = (ends.get(id) ?? []).map(({ type }) => type);
        const expected = FINAL.includes(status) ? [`payment.${status}`] : [];
        return types.join() !== expected.join() || isPaid !== (status === "succeeded");
      });
    },
  },
  {
    name: "own rows only",
    sentence: "No answer contains an id of another account, and a foreign chat is 403/2005.",
    isAnytime: true,
    check: ({ answers, messages, events, payments, subscriptions }) => {
      const owners = new Map(
        [...messages, ...events, ...payments, ...subscriptions].map(({ id, accountId }) => [id, accountId]),
      );
      for (const { chatId, accountId } of messages) owners.set(chatId, accountId);
      return answers.filter(
        ({ accountId, ids, isForeign, status }) =>
          (isForeign && isAnswered(status) && status !== 403) ||
          ids.some((id) => (owners.get(id) ?? accountId) !== accountId),
      );
    },
  },
  {
    name: "no unintended failure",
    sentence: "No request is answered with 500.",
    isAnytime: true,
    check: ({ answers }) => answers.filter(({ status }) => status === 500),
  },
  {
    name: "queues are empty",
    sentence: "When all is healed, all queues become empty and no job is overdue.",
    isAnytime: false,
    check: ({ pending }) => pending,
  },
  {
    name: "memory is bounded",
    sentence: "No process takes more than 800 MiB.",
    isAnytime: true,
    check: ({ memory }) => memory.filter(({ bytes }) => bytes > MAX_PROCESS_BYTES),
  },
];

/** Whether a request has an answer of the product, not of an outage. */
function isAnswered(status) {
  return status !== null && status < 500;
}
