/** The events that a message has at most once. */
const ONCE = ["message.sent", "message.delivered", "message.read", "message.failed", "message.received"];
const ENDED = ["delivered", "failed", "skipped"];

export const EVENT_INVARIANTS = [
  {
    name: "one event per step of a message",
    sentence: "Each step in the life of a message emits one event.",
    isAnytime: true,
    check: ({ events }) =>
      repeated(
        events.filter(({ type, internal }) => !internal && ONCE.includes(type)),
        ({ type, messageId }) => `${type} ${messageId}`,
      ),
  },
  {
    name: "statuses have events",
    sentence: "Every received, sent and failed message has its event.",
    isAnytime: true,
    check: ({ messages, events }) => {
      const steps = new Set(events.map(({ type, messageId }) => `${type} ${messageId}`));
      const expected = ({ isFromMe, status }) => {
        if (!isFromMe) return "message.received";
        if (status === "failed") return "message.failed";
        return ["sent", "delivered", "read"].includes(status) ? "message.sent" : null;
      };
      return messages.filter((message) => {
        const type = expected(message);
        return type !== null && !steps.has(`${type} ${message.id}`);
      });
    },
  },
  {
    name: "receipts are of their message",
    sentence: "A message that was not delivered has no receipt.",
    isAnytime: true,
    check: ({ messages, events }) => {
      const byId = new Map(messages.map((message) => [message.id, message]));
      return events
        .filter(({ type, internal }) => !internal && ["message.delivered", "message.read"].includes(type))
        .filter(({ type, messageId }) => {
          const message = byId.get(messageId);
          const proven = type === "message.read" ? ["read"] : ["delivered", "read"];
          return message === undefined || !message.isFromMe || !proven.includes(message.status);
        });
    },
  },
  {
    name: "events are delivered",
    sentence: "Every event has a delivery to each subscription that lists it, and every delivery ends.",
    isAnytime: false,
    check: ({ events, deliveries, subscriptions }) => {
      const ended = new Set(deliveries.filter(({ status }) => ENDED.includes(status)).map(deliveryKey));
      const wanted = subscriptions.flatMap(({ id: subscriptionId, accountId, types }) =>
        events
          .filter((event) => event.accountId === accountId && !event.internal && types.includes(event.type))
          .map((event) => ({ subscriptionId, eventId: event.id, type: event.type })),
      );
      return wanted.filter((delivery) => !ended.has(deliveryKey(delivery)));
    },
  },
  {
    name: "delivered is received",
    sentence: "A delivery that is recorded as delivered was received and answered with 200.",
    isAnytime: false,
    check: ({ deliveries, received }) => {
      const answered = new Set(received.filter(({ status }) => status === 200).map(deliveryKey));
      return deliveries.filter(
        (delivery) => delivery.status === "delivered" && !answered.has(deliveryKey(delivery)),
      );
    },
  },
  {
    name: "received is an event of the account",
    sentence: "A receiver gets only events of its own account, as they are stored.",
    isAnytime: true,
    check: ({ received, events }) => {
      const own = new Set(events.map(({ id, accountId, type }) => `${id} ${accountId} ${type}`));
      return received.filter(({ eventId, accountId, type }) => !own.has(`${eventId} ${accountId} ${type}`));
    },
  },
  {
    name: "signed",
    sentence: "Every webhook has a valid signature of its subscription.",
    isAnytime: true,
    check: ({ received }) => received.filter(({ isSigned }) => !isSigned),
  },
  {
    name: "sequence without gaps",
    sentence: "The deliveries of a subscription in a chat are numbered 1, 2, 3 and so on, each number once.",
    isAnytime: true,
    check: ({ deliveries }) => {
      // A replay repeats the number of the event's first delivery.
      const numbered = deliveries.filter(({ sequence, isReplay }) => sequence !== null && !isReplay);
      const byChat = Map.groupBy(numbered, ({ subscriptionId, chatId }) => `${subscriptionId} ${chatId}`);
      return [...byChat].flatMap(([key, own]) => {
        const numbers = own.map(({ sequence }) => sequence).sort((a, b) => a - b);
        const wrong = numbers.findIndex((number, index) => number !== index + 1);
        return wrong === -1 ? [] : [{ subscriptionAndChat: key, expected: wrong + 1, found: numbers[wrong] }];
      });
    },
  },
  {
    name: "sequence is the delivery's",
    sentence: "A webhook carries the number of its delivery on every attempt.",
    isAnytime: true,
    check: ({ deliveries, received }) => {
      const numbers = new Map(
        deliveries.filter(({ sequence }) => sequence !== null).map((one) => [deliveryKey(one), one.sequence]),
      );
      return received.filter(
        (one) => numbers.has(deliveryKey(one)) && one.sequence !== numbers.get(deliveryKey(one)),
      );
    },
  },
  {
    name: "stream without gaps",
    sentence: "A stream that is read on from its last event has every event once, in the order of the log.",
    isAnytime: false,
    check: ({ streams, events, subscriptions }) =>
      streams.flatMap(({ accountId, frames }) => {
        const types = subscriptions.find((one) => one.accountId === accountId)?.types ?? [];
        const logged = events.filter(
          (event) => event.accountId === accountId && !event.internal && types.includes(event.type),
        );
        const seen = frames.filter(({ isReplay }) => !isReplay).map(({ eventId }) => eventId);
        const wrong = logged.findIndex(({ id }, index) => seen[index] !== id);
        if (wrong !== -1) return [{ accountId, expected: logged[wrong], found: seen[wrong] ?? null }];
        return seen.length > logged.length ? [{ accountId, expected: null, found: seen[logged.length] }] : [];
      }),
  },
];

function repeated(items, keyOf) {
  return [...Map.groupBy(items, keyOf).values()].filter((same) => same.length > 1).map(([first]) => first);
}

function deliveryKey({ subscriptionId, eventId }) {
  return `${subscriptionId} ${eventId}`;
}
