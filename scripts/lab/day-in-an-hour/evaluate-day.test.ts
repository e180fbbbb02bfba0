import { expect, test } from "vitest";
import { evaluateDay } from "./evaluate-day.mjs";

const SECONDS = 90;
const DELETE = "with due as (select 1) delete from events using due";

type Change = (at: number) => Record<string, unknown>;

/** A run of 90 s at 10 messages per second in which all stays flat, except for `change`. */
function samplesOf(change: Change = () => ({})) {
  return Array.from({ length: SECONDS / 3 + 1 }, (_, index) => {
    const at = index * 3;
    return {
      seconds: at,
      memory: { web: 100 * 2 ** 20 },
      queues: { messages: { count: 0, ageSeconds: 0.1 } },
      tables: {
        events: { rows: 5000, bytes: 8e6, indexBytes: 4e6 },
        messages: { rows: 5000, bytes: 8e6, indexBytes: 4e6 },
      },
      counters: {
        sent: at * 10,
        received: at * 10,
        leftOut: 0,
        errors: {},
        answers: { good: { 200: at * 20 } },
      },
      statements: {
        1: { text: "select 1", calls: at * 10, ms: at * 10 },
        2: { text: DELETE, calls: at * 10, ms: at * 10 },
      },
      ...change(at),
    };
  });
}

/** The names of the checks that a run did not meet. */
function notMet(change?: Change): string[] {
  return evaluateDay(samplesOf(change), { perSecond: 10 })
    .filter(({ isMet }) => isMet === false)
    .map(({ check }) => check);
}

test("a run that stays flat meets every check", () => {
  expect(notMet()).toEqual([]);
});

test("memory that grows until the end is not flat", () => {
  expect(notMet((at) => ({ memory: { web: (100 + at) * 2 ** 20 } }))).toEqual(["memory of web"]);
});

test("a queue that becomes older in the last third is not flat", () => {
  const grows = (at: number) => ({ queues: { messages: { count: 1, ageSeconds: (at * at) / 100 } } });
  expect(notMet(grows)).toEqual(["oldest due: messages"]);
});

test("a table whose rows are deleted may not grow, a table whose rows are kept may", () => {
  const grown = (at: number) => ({ rows: 5000, bytes: 1e5 * at, indexBytes: 4e6 });
  expect(notMet((at) => ({ tables: { events: grown(at), messages: grown(at) } }))).toEqual(["events"]);
});

test("a statement that is slower at the end than at the start is named", () => {
  const slower = (at: number) => ({
    statements: { 1: { text: "select 1", calls: at * 10, ms: at * at } },
  });
  expect(notMet(slower)).toEqual(["statement: select 1"]);
});

test("a statement that deletes is compared with its time once there is something to delete", () => {
  const works = (at: number) => ({
    statements: { 2: { text: DELETE, calls: at * 10, ms: at < 30 ? at : at * 100 } },
  });
  expect(notMet(works)).toEqual([]);
});

test("a statement that runs only once there is something to erase is compared with its first runs", () => {
  const calls = (at: number) => Math.max(0, at - 30) * 10;
  const erases = (ms: (at: number) => number) => (at: number) => ({
    statements: { 3: { text: "update attempts", calls: calls(at), ms: ms(at) } },
  });
  expect(notMet(erases(calls))).toEqual([]);
  expect(notMet(erases((at) => calls(at) * Math.max(1, at / 30)))).toEqual(["statement: update attempts"]);
});

test("a rate below the one that was asked for, and an error, are named", () => {
  const counters = { sent: 0, received: 0, leftOut: 0, answers: { good: {} } };
  const slow = (at: number) => ({
    counters: { ...counters, sent: at * 9, received: at * 10, errors: { "sent: 503/4004": 2 } },
  });
  expect(notMet(slow)).toEqual(["messages sent", "requests without an error", "error: sent: 503/4004"]);
});
