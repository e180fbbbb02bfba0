import { expect, test } from "vitest";
import { checkOutcome } from "./check-outcome.mjs";

/** A run with one send and one text, without problems. */
function successfulRun() {
  return {
    messages: [
      message({ id: "m1", text: "send-0-0", key: "send-0-0", status: "delivered", is_from_me: true }),
      message({ id: "m2", text: "text-0-0", key: null, status: "received", is_from_me: false }),
    ],
    copies: [{ ref: "m1", handle: "+15550200000", count: 1, text: "send-0-0", sender: "+15550100001" }],
    events: [
      event("e1", "message.sent", "m1"),
      event("e2", "message.delivered", "m1"),
      event("e3", "message.received", "m2"),
    ],
    deliveries: ["e1", "e2", "e3"].map((event_id) => ({ event_id, status: "delivered" })),
    received: [
      { eventId: "e1", type: "message.sent" },
      { eventId: "e2", type: "message.delivered" },
      { eventId: "e3", type: "message.received" },
      { eventId: "e3", type: "message.received" },
    ],
    sends: [{ key: "send-0-0", chatId: "c1", tries: 3, accepted: ["m1", "m1"], status: 202 }],
    texts: [{ text: "text-0-0", stored: true }],
    drainSeconds: 1 as number | null,
  };
}

type Run = ReturnType<typeof successfulRun>;

function message(details: {
  id: string;
  text: string;
  key: string | null;
  status: string;
  is_from_me: boolean;
}) {
  return { ...details, dispatch_at: null as Date | null, dispatch_lease_until: null, failure_code: null };
}

function event(id: string, type: string, message_id: string) {
  return { id, type, internal: false, message_id, is_wanted: true };
}

async function problemsOf(run: Run): Promise<string[]> {
  const answers: Record<string, unknown[]> = {
    "from messages": run.messages,
    "from simulator_messages": run.copies,
    "from events e cross": run.events,
    "from webhook_deliveries": run.deliveries,
  };
  const query = async (text: string) =>
    Object.entries(answers).find(([table]) => text.includes(table))?.[1] ?? [];
  const emitted = { sends: run.sends, texts: run.texts };
  const { received, drainSeconds } = run;
  return (await checkOutcome({ database: { query }, emitted, received, drainSeconds })).problems;
}

test("a run in which all went well has no problem, even with a webhook that came twice", async () => {
  expect(await problemsOf(successfulRun())).toEqual([]);
});

const FAULTS: [string, (run: Run) => void, RegExp][] = [
  ["a lost send", (run) => run.messages.shift(), /accepted sends are lost/],
  ["a refused send", (run) => (oneOf(run.sends).status = 500), /sends were refused/],
  [
    "a key with two messages",
    (run) => run.messages.push(message({ ...oneOf(run.messages), id: "m9" })),
    /keys made two messages/,
  ],
  ["another id", (run) => oneOf(run.sends).accepted.push("m9"), /another message's id/],
  ["a pending message", (run) => (oneOf(run.messages).status = "pending"), /not dispatched/],
  ["work left", (run) => (oneOf(run.messages).dispatch_at = new Date(0)), /not dispatched/],
  ["an invented message", (run) => run.sends.shift(), /no client sent/],
  ["a lost text", (run) => run.messages.pop(), /stored texts are lost/],
  ["an empty phone", (run) => run.copies.shift(), /on no phone/],
  ["two copies on a phone", (run) => (oneOf(run.copies).count = 2), /more than once/],
  [
    "a step reported twice",
    (run) => run.events.push(event("e4", "message.sent", "m1")),
    /exactly one message.sent/,
  ],
  ["a step not reported", (run) => run.events.splice(1, 1), /exactly one message.delivered/],
  ["an event without a delivery", (run) => run.deliveries.pop(), /have no delivery/],
  ["an event that never came", (run) => run.received.splice(0, 1), /never reached/],
  ["a delivery given up", (run) => (oneOf(run.deliveries).status = "failed"), /given up/],
  [
    "an invented webhook",
    (run) => run.received.push({ eventId: "e9", type: "message.sent" }),
    /do not exist/,
  ],
  ["a run that does not end", (run) => (run.drainSeconds = null), /did not end/],
];

test.each(FAULTS)("the kill test notices %s", async (_, spoil, problem) => {
  const run = successfulRun();
  spoil(run);
  expect(await problemsOf(run)).toContainEqual(expect.stringMatching(problem));
});

function oneOf<Item>(items: Item[]): Item {
  const [first] = items;
  if (first === undefined) throw new Error("there is none");
  return first;
}
