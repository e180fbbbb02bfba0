import { expect, test } from "vitest";
import { checkDeliveries } from "./check-deliveries.mjs";

const KILL = 10_000;

/**
 * A run with two events and one kill. The response to the second event was in flight at the kill, so it was delivered
 * twice.
 */
function successfulRun() {
  return {
    stored: [{ eventId: "e1" }, { eventId: "e2" }],
    endpoints: [
      {
        deliveries: [delivery("e1"), delivery("e2")],
        requests: [
          request("e1", 1000, 1050),
          request("e2", KILL - 20, null),
          request("e2", KILL + 30_000, KILL + 30_050),
        ],
      },
    ],
    killedAt: [KILL],
    drainSeconds: 31 as number | null,
  };
}

type Run = ReturnType<typeof successfulRun>;

function delivery(eventId: string) {
  return { eventId, status: "delivered", successes: 1 };
}

function request(eventId: string, begunAt: number, answeredAt: number | null, status = 200) {
  return { eventId, begunAt, answeredAt, status: answeredAt === null ? null : status };
}

const DAMAGES: Record<string, (run: Run) => void> = {
  "an event without a delivery": (run) => run.stored.push({ eventId: "e3" }),
  "a delivery that was given up": (run) => {
    run.endpoints[0]?.deliveries.splice(0, 1, { ...delivery("e1"), status: "failed" });
  },
  "a delivery recorded twice": (run) => {
    run.endpoints[0]?.deliveries.splice(0, 1, { ...delivery("e1"), successes: 2 });
  },
  "a delivery recorded that never arrived": (run) => {
    run.endpoints[0]?.requests.shift();
  },
  "a request of an unknown event": (run) => run.endpoints[0]?.requests.push(request("e9", 1, 2)),
  "a repeat long after its answer": (run) => run.endpoints[0]?.requests.push(request("e1", 3000, 3050)),
  "a repeat while the first is under way": (run) =>
    run.endpoints[0]?.requests.push(request("e1", 1020, 1070)),
  "a repeat of what was answered long before the kill": (run) => {
    run.endpoints[0]?.requests.push(request("e1", KILL + 31_000, KILL + 31_010));
  },
  "work that never ended": (run) => {
    run.drainSeconds = null;
  },
};

test("a run without fault has no problems, and its repeats are counted", () => {
  const { problems, details } = checkDeliveries(successfulRun());

  expect(problems).toEqual([]);
  expect(details).toMatchObject({ "answers in flight at a kill": 1, "sent again after a kill": 1 });
});

test("a retry after a failed answer is no repeat", () => {
  const run = successfulRun();
  run.endpoints[0]?.requests.unshift(request("e1", 500, 510, 503));

  expect(checkDeliveries(run).problems).toEqual([]);
});

test.each(Object.entries(DAMAGES))("checkDeliveries notices %s", (_, damage) => {
  const run = successfulRun();
  damage(run);

  expect(checkDeliveries(run).problems).not.toEqual([]);
});
