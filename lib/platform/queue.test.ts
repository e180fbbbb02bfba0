import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { type QueueOptions, startQueue } from "@/lib/platform/queue";
import { wakeLocally } from "@/lib/platform/wake";

function options(changes: Partial<QueueOptions<number>>): QueueOptions<number> {
  return {
    name: "test",
    topic: "simulator",
    most: 2,
    pollMs: 60_000,
    claim: async () => [],
    handle: async () => undefined,
    ...changes,
  };
}

test("works everything off without more in hand than allowed", async () => {
  const waiting = Array.from({ length: 9 }, (_, index) => index);
  const done: number[] = [];
  let inFlight = 0;
  let most = 0;
  const queue = startQueue(
    options({
      claim: async (limit) => waiting.splice(0, limit),
      async handle(item) {
        most = Math.max(most, ++inFlight);
        await sleep(2);
        inFlight--;
        done.push(item);
      },
    }),
  );
  await expect.poll(() => done.length).toBe(9);
  expect(most).toBe(2);
  await queue.stop();
});

test("a wake-up during a claim is followed by another claim", async () => {
  let claims = 0;
  const queue = startQueue(
    options({
      async claim() {
        claims++;
        if (claims === 1) wakeLocally("simulator");
        return [];
      },
    }),
  );
  await expect.poll(() => claims).toBe(2);
  await queue.stop();
});

test("stopping finishes what a claim under way brings, and takes nothing after it", async () => {
  const done: number[] = [];
  let claims = 0;
  const queue = startQueue(
    options({
      async claim() {
        await sleep(20);
        return [++claims];
      },
      async handle(item) {
        await sleep(20);
        done.push(item);
      },
    }),
  );
  await sleep(5);
  await queue.stop();
  expect(done).toEqual([1]);
  wakeLocally("simulator");
  await sleep(30);
  expect(claims).toBe(1);
});

test("what fails is left to its lease, and the rest goes on", async () => {
  const waiting = [1, 2, 3];
  const done: number[] = [];
  const queue = startQueue(
    options({
      claim: async (limit) => waiting.splice(0, limit),
      async handle(item) {
        if (item === 2) throw new Error("no luck");
        done.push(item);
      },
    }),
  );
  await expect.poll(() => done).toEqual([1, 3]);
  await queue.stop();
});
