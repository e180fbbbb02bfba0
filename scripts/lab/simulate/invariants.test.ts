import { expect, test } from "vitest";
import { checkInvariants, INVARIANTS } from "./invariants.mjs";
import { recordedHistory } from "./recorded-history";

type Recorded = ReturnType<typeof recordedHistory>;

/** A defect of the product as a record would show it, and the invariants that must find it. */
interface Planted {
  finds: string[];
  plant(record: Recorded): void;
}

const DEFECTS: Record<string, Planted> = {
  "an accepted message is lost": {
    finds: ["accepted once"],
    plant: ({ messages }) => remove(messages, ({ id }) => id === "m1"),
  },
  "an accepted message reaches no phone": {
    finds: ["delivered or failed"],
    plant: ({ copies }) => remove(copies, ({ text }) => text === "send 0-1."),
  },
  "a message reaches one of two members of a group": {
    finds: ["delivered or failed"],
    plant: ({ copies }) => remove(copies, ({ text, handle }) => text === "send 0-3." && handle === "+2"),
  },
  "a message is sent twice": {
    finds: ["never twice"],
    plant: ({ vendorMessages }) => vendorMessages.push({ ...first(vendorMessages) }),
  },
  "a repeated key makes a second message": {
    finds: ["accepted once", "never twice", "statuses have events"],
    plant: ({ messages, copies }) => {
      messages.push({ ...first(messages), id: "m1b" });
      copies.push({ ...first(copies) });
    },
  },
  "a repeated key returns another message": {
    finds: ["accepted once"],
    plant: ({ sends }) => {
      sends.push({ ...first(sends), messageId: "m2", begunAt: 90, answeredAt: 95 });
    },
  },
  "a rejected send is stored": {
    finds: ["accepted once"],
    plant: ({ messages, sends }) => {
      const rejected = sends.find(({ outcome }) => outcome === "rejected");
      messages.push({ ...first(messages), id: "m9", text: rejected?.text ?? "", status: "pending" });
    },
  },
  "a message is invented": {
    finds: ["nothing invented", "statuses have events"],
    plant: ({ messages }) => messages.push({ ...first(messages), id: "m8", text: "send 0-99." }),
  },
  "two messages of a chat are swapped": {
    finds: ["order in a chat", "stream without gaps"],
    plant: ({ events }) => swap(events, "e2", "e5"),
  },
  "two messages at the SMS center are swapped": {
    finds: ["order in a chat"],
    plant: ({ vendorMessages }) => vendorMessages.reverse(),
  },
  "a message is on another person's phone": {
    finds: ["on the right phone", "delivered or failed"],
    plant: ({ copies }) => {
      first(copies).handle = "+2";
    },
  },
  "a failed message is on a phone": {
    finds: ["failed is not delivered", "receipts are of their message", "statuses have events"],
    plant: ({ messages }) => Object.assign(first(messages), { status: "failed", failureCode: 4001 }),
  },
  "a message fails without a reason": {
    finds: ["delivered or failed", "receipts are of their message", "statuses have events"],
    plant: ({ messages }) => Object.assign(first(messages), { status: "failed", failureCode: null }),
  },
  "a send after STOP is accepted": {
    finds: ["nothing after STOP", "accepted once"],
    plant: ({ sends }) => {
      const rejected = sends.find(({ outcome }) => outcome === "rejected");
      Object.assign(rejected ?? {}, { outcome: "accepted", messageId: "m7", code: null });
    },
  },
  "a canceled message leaves": {
    finds: ["canceled never leaves"],
    plant: ({ messages }) => messages.push({ ...find(messages, "l3"), id: "l4", text: "later 0-23." }),
  },
  "content that was replaced leaves": {
    finds: ["canceled never leaves", "scheduled once"],
    plant: ({ messages, left }) => {
      find(messages, "l2").text = "later 0-20.";
      first(left).text = "later 0-20.";
    },
  },
  "a scheduled message leaves twice": {
    finds: ["scheduled once", "never twice"],
    plant: ({ messages, copies }) => {
      messages.push({ ...find(messages, "l3"), id: "l3b" });
      copies.push({ accountId: "a1", handle: "+3", sender: "line", text: "later 0-22." });
    },
  },
  "a moved message leaves with its old id, too": {
    finds: ["scheduled once"],
    plant: ({ messages }) => messages.push({ ...find(messages, "l2"), id: "l1" }),
  },
  "a scheduled message is lost": {
    finds: ["scheduled once"],
    plant: ({ messages }) => remove(messages, ({ id }) => id === "l3"),
  },
  "a scheduled message is not found while it waits": {
    finds: ["scheduled once"],
    plant: ({ scheduled }) => {
      const [ask] = scheduled[1]?.asks ?? [];
      if (ask !== undefined)
        scheduled[1]?.asks.push({ ...ask, kind: "cancel", outcome: "refused", status: 404 });
    },
  },
  "a scheduled message leaves early": {
    finds: ["not before its time"],
    plant: ({ left }) => {
      left.splice(2, 1, { ...first(left), text: "later 0-22." });
    },
  },
  "a message that was moved leaves at its old time": {
    finds: ["not before its time"],
    plant: ({ scheduled }) => {
      const move = scheduled[0]?.asks[1];
      if (move !== undefined) move.dueAt = 5000;
    },
  },
  "two scheduled messages of a chat are swapped": {
    finds: ["scheduled in order"],
    plant: ({ events }) => swap(events, "e12", "e14"),
  },
  "a scheduled message reaches a person who has opted out": {
    finds: ["opted out when due"],
    plant: ({ messages }) => Object.assign(find(messages, "l5"), { status: "sent", failureCode: null }),
  },
  "what a person wrote is lost": {
    finds: ["people are heard once"],
    plant: ({ messages }) => remove(messages, ({ id }) => id === "t1"),
  },
  "what a person wrote is stored twice": {
    finds: ["people are heard once", "statuses have events"],
    plant: ({ messages }) => {
      const text = messages.find(({ id }) => id === "t1");
      if (text !== undefined) messages.push({ ...text, id: "t1b" });
    },
  },
  "a receipt is on the wrong message": {
    finds: ["receipts are of their message"],
    plant: ({ events }) => {
      const receipt = events.find(({ type }) => type === "message.delivered");
      Object.assign(receipt ?? {}, { messageId: "m4" });
    },
  },
  "a step emits two events": {
    finds: ["one event per step of a message", "events are delivered", "stream without gaps"],
    plant: ({ events }) => {
      const sent = events.find(({ id }) => id === "e2");
      if (sent !== undefined) events.push({ ...sent, id: "e99", seq: 99 });
    },
  },
  "an event is missing": {
    finds: ["statuses have events", "received is an event of the account", "stream without gaps"],
    plant: ({ events }) => remove(events, ({ id }) => id === "e2"),
  },
  "an event has no delivery": {
    finds: ["events are delivered", "sequence without gaps"],
    plant: ({ deliveries }) => remove(deliveries, ({ eventId }) => eventId === "e2"),
  },
  "a delivery never ends": {
    finds: ["events are delivered"],
    plant: ({ deliveries }) => {
      first(deliveries).status = "waiting";
    },
  },
  "a delivery is recorded that never arrived": {
    finds: ["delivered is received"],
    plant: ({ received }) => remove(received, ({ eventId }) => eventId === "e2"),
  },
  "a delivery is recorded whose request was refused": {
    finds: ["delivered is received"],
    plant: ({ received }) => {
      first(received).status = 503;
    },
  },
  "a sequence has a gap": {
    finds: ["sequence without gaps", "sequence is the delivery's"],
    plant: ({ deliveries }) => {
      const last = deliveries.findLast(({ chatId }) => chatId === "c1");
      if (last !== undefined) last.sequence = (last.sequence ?? 0) + 1;
    },
  },
  "a webhook carries another number": {
    finds: ["sequence is the delivery's"],
    plant: ({ received }) => {
      first(received).sequence = 77;
    },
  },
  "a webhook goes to another account": {
    finds: ["received is an event of the account"],
    plant: ({ received }) => {
      first(received).accountId = "a2";
    },
  },
  "a signature is wrong": {
    finds: ["signed"],
    plant: ({ received }) => {
      first(received).isSigned = false;
    },
  },
  "a stream leaves an event out": {
    finds: ["stream without gaps"],
    plant: ({ streams }) => first(streams).frames.splice(1, 1),
  },
  "a stream repeats an event": {
    finds: ["stream without gaps"],
    plant: ({ streams }) => first(streams).frames.push(first(first(streams).frames)),
  },
  "a payment ends twice": {
    finds: ["one end per payment", "events are delivered", "stream without gaps"],
    plant: ({ events }) => {
      const end = events.find(({ type }) => type === "payment.succeeded");
      if (end !== undefined) events.push({ ...end, id: "e98", seq: 98, type: "payment.canceled" });
    },
  },
  "a canceled payment was paid": {
    finds: ["one end per payment"],
    plant: ({ payments }) => {
      const canceled = payments.find(({ status }) => status === "canceled");
      if (canceled !== undefined) canceled.isPaid = true;
    },
  },
  "an answer contains another account's row": {
    finds: ["own rows only"],
    plant: ({ answers }) => first(answers).ids.push("m4"),
  },
  "a foreign chat is shown": {
    finds: ["own rows only"],
    plant: ({ answers }) => {
      const foreign = answers.find(({ isForeign }) => isForeign);
      if (foreign !== undefined) foreign.status = 200;
    },
  },
  "a request fails with 500": {
    finds: ["no unintended failure"],
    plant: ({ answers }) => {
      first(answers).status = 500;
    },
  },
  "a job is overdue at the end": {
    finds: ["queues are empty"],
    plant: ({ pending }) => pending.push({ queue: "overdue: payment requests", count: 1 }),
  },
  "a process grows without a limit": {
    finds: ["memory is bounded"],
    plant: ({ memory }) => {
      first(memory).bytes = 2 ** 31;
    },
  },
};

test("a history without a defect violates nothing", () => {
  expect(checkInvariants(recordedHistory())).toEqual([]);
});

test.each(Object.entries(DEFECTS))("%s", (_, { plant, finds }) => {
  const record = recordedHistory();
  plant(record);
  expect(checkInvariants(record).map(({ name }) => name)).toEqual(expect.arrayContaining(finds));
});

test("every invariant finds a planted defect, and has a sentence", () => {
  const found = new Set(Object.values(DEFECTS).flatMap(({ finds }) => finds));
  expect(INVARIANTS.map(({ name }) => name).filter((name) => !found.has(name))).toEqual([]);
  for (const { sentence } of INVARIANTS) expect(sentence).toMatch(/^[A-Z].*\.$/);
});

test("what holds only at the end is not checked before", () => {
  const record = { ...recordedHistory(), isEnd: false, pending: [{ queue: "messages", count: 3 }] };
  expect(checkInvariants(record)).toEqual([]);
});

function first<Item>([item]: Item[]): Item {
  if (item === undefined) throw new Error("the record has none");
  return item;
}

function find<Item extends { id: string }>(items: Item[], wanted: string): Item {
  return first(items.filter(({ id }) => id === wanted));
}

function remove<Item>(items: Item[], matches: (item: Item) => boolean): void {
  items.splice(items.findIndex(matches), 1);
}

function swap(events: { id: string; seq: number }[], one: string, other: string): void {
  const [a, b] = [one, other].map((id) => events.findIndex((event) => event.id === id)) as [number, number];
  [events[a], events[b]] = [events[b], events[a]] as [(typeof events)[0], (typeof events)[0]];
}
