import { setTimeout as sleep } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { type AfterItem, type QueueOptions, startQueue } from "@/lib/platform/database/queue";
import { wakeLocally } from "@/lib/platform/database/wake";

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

test("a queue handles every item and has no more in progress than allowed", async () => {
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

test("a failed item is left to its lease, and the other items go on", async () => {
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

test("the end of an item is followed by a claim at once, soon or not at all", async () => {
  const waiting = ["wait", "claim soon", "claim"] as const;
  const claims: number[] = [];
  let next = 0;
  const queue = startQueue<AfterItem, AfterItem>({
    name: "test",
    topic: "simulator",
    pollMs: 60_000,
    most: 10,
    async claim() {
      claims.push(next);
      const item = waiting[next++];
      return item === undefined ? [] : [item];
    },
    handle: async (item) => item,
    afterItem: ({ result }) => result ?? "claim",
  });
  await sleep(60);
  expect(claims).toEqual([0]);

  wakeLocally("simulator");
  await expect.poll(() => claims).toEqual([0, 1, 2, 3]);
  await queue.stop();
});

test("an item's end has its result, and says whether the queue was woken meanwhile and the claim was full", async () => {
  const ends: unknown[] = [];
  let isFirst = true;
  const queue = startQueue<number, string>({
    name: "test",
    topic: "simulator",
    pollMs: 60_000,
    most: 2,
    async claim(limit) {
      if (!isFirst) return [];
      isFirst = false;
      return Array.from({ length: limit }, (_, index) => index);
    },
    async handle(item) {
      if (item === 0) return "done";
      await sleep(20);
      wakeLocally("simulator");
      await sleep(20);
      throw new Error("no luck");
    },
    afterItem(end) {
      ends.push(end);
      return "wait";
    },
  });
  await expect.poll(() => ends.length).toBe(2);
  expect(ends).toEqual([
    { item: 0, result: "done", isWoken: false, wasFull: true },
    { item: 1, result: null, isWoken: true, wasFull: false },
  ]);
  await queue.stop();
});

test("a queue without work polls less often, and often again after a wake-up", async () => {
  vi.useFakeTimers();
  try {
    let claims = 0;
    const queue = startQueue(
      options({
        pollMs: 100,
        async claim() {
          claims++;
          return [];
        },
      }),
    );
    await vi.advanceTimersByTimeAsync(100 * 20);
    expect(claims).toBe(21);
    await vi.advanceTimersByTimeAsync(4000);
    expect(claims).toBe(31);

    wakeLocally("simulator");
    await vi.advanceTimersByTimeAsync(1000);
    expect(claims).toBe(42);
    await queue.stop();
  } finally {
    vi.useRealTimers();
  }
});

test("a quiet queue claims only while an item waits, and asks every 5 seconds", async () => {
  vi.useFakeTimers();
  try {
    let [claims, questions] = [0, 0];
    let hasWaiting: () => Promise<boolean> = async () => false;
    const queue = startQueue(
      options({
        pollMs: 100,
        async claim() {
          claims++;
          return [];
        },
        hasWaiting() {
          questions++;
          return hasWaiting();
        },
      }),
    );
    await vi.advanceTimersByTimeAsync(100 * 20);
    expect({ claims, questions }).toEqual({ claims: 21, questions: 0 });
    await vi.advanceTimersByTimeAsync(20_000);
    expect({ claims, questions }).toEqual({ claims: 21, questions: 5 });

    hasWaiting = async () => true;
    await vi.advanceTimersByTimeAsync(3000);
    expect({ claims, questions }).toEqual({ claims: 22, questions: 6 });
    await vi.advanceTimersByTimeAsync(400);
    expect({ claims, questions }).toEqual({ claims: 23, questions: 7 });

    hasWaiting = async () => {
      throw new Error("the database is away");
    };
    await vi.advanceTimersByTimeAsync(400);
    expect({ claims, questions }).toEqual({ claims: 24, questions: 8 });
    await queue.stop();
  } finally {
    vi.useRealTimers();
  }
});

test("a wake-up while a quiet queue asks is followed by a claim, and by frequent polls", async () => {
  vi.useFakeTimers();
  try {
    let claims = 0;
    let answer: (hasWaiting: boolean) => void = () => undefined;
    const queue = startQueue(
      options({
        pollMs: 100,
        async claim() {
          claims++;
          return [];
        },
        hasWaiting: () => new Promise<boolean>((resolve) => (answer = resolve)),
      }),
    );
    await vi.advanceTimersByTimeAsync(100 * 21);
    expect(claims).toBe(21);
    wakeLocally("simulator");
    answer(false);
    await vi.advanceTimersByTimeAsync(500);
    expect(claims).toBe(21 + 1 + 5);
    await queue.stop();
  } finally {
    vi.useRealTimers();
  }
});

test("quiet queues that started at different times ask at the same times", async () => {
  vi.useFakeTimers();
  try {
    const asked: number[] = [];
    const start = () =>
      startQueue(
        options({
          pollMs: 100,
          claim: async () => [],
          hasWaiting: async () => {
            asked.push(performance.now());
            return false;
          },
        }),
      );
    const queues = [start()];
    await vi.advanceTimersByTimeAsync(1234);
    queues.push(start());
    await vi.advanceTimersByTimeAsync(20_000);
    expect(asked.slice(-6).map((at) => Math.round(at))).toEqual([
      10_000, 10_000, 15_000, 15_000, 20_000, 20_000,
    ]);
    for (const queue of queues) await queue.stop();
  } finally {
    vi.useRealTimers();
  }
});
