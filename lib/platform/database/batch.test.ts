import { afterEach, expect, test, vi } from "vitest";
import { batched } from "@/lib/platform/database/batch";

afterEach(() => {
  vi.restoreAllMocks();
});

/** Lets a batch begin. */
const turn = () => new Promise(setImmediate);

test("items that arrive while a batch is in flight go into the next, each with its own answer", async () => {
  const sizes: number[] = [];
  const pause = () => new Promise((resolve) => setTimeout(resolve, 1));
  const double = batched<number, number>({
    runOne: async (item) => {
      sizes.push(1);
      await pause();
      return item * 2;
    },
    runMany: async (items) => {
      sizes.push(items.length);
      await pause();
      return items.map((item) => item * 2);
    },
  });

  const first = double(1);
  await new Promise(setImmediate);
  await new Promise(setImmediate);
  const rest = Promise.all([2, 3, 4].map(double));

  expect(await first).toBe(2);
  expect(await rest).toEqual([4, 6, 8]);
  expect(sizes).toEqual([1, 3]);
});

test("items of one key never share a batch", async () => {
  const batches: string[][] = [];
  const run = batched<string, string>({
    runOne: async (item) => {
      batches.push([item]);
      return item;
    },
    runMany: async (items) => {
      batches.push(items);
      return items;
    },
    keyOf: (item) => item,
  });

  await Promise.all(["a", "b", "a", "b", "a"].map(run));

  expect(batches.every((batch) => new Set(batch).size === batch.length)).toBe(true);
  expect(batches.flat().sort()).toEqual(["a", "a", "a", "b", "b"]);
});

test("one bad item spoils no other", async () => {
  const run = batched<number, number>({
    runOne: async (item) => {
      if (item === 2) throw new Error("bad");
      return item;
    },
    runMany: async () => {
      throw new Error("the statement failed");
    },
  });

  const results = await Promise.allSettled([1, 2, 3].map(run));

  expect(results.map((result) => result.status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
});

/** A batcher whose batches end only when the test ends them. */
function heldBatches(besideAfterMs?: number) {
  const batches: { items: string[]; end(): void }[] = [];
  const begin = (items: string[]) =>
    new Promise<string[]>((resolve) => batches.push({ items, end: () => resolve(items) }));
  const run = batched<string, string>({
    runOne: async (item) => begin([item]).then(() => item),
    runMany: begin,
    keyOf: (item) => item,
    besideAfterMs,
  });
  return { run, batches, begun: () => batches.map(({ items }) => items) };
}

test("no batch runs beside a long one unless that is allowed", async () => {
  const { run, begun } = heldBatches();
  void run("a");
  await turn();
  await new Promise((resolve) => setTimeout(resolve, 20));
  void run("b");
  await turn();

  expect(begun()).toEqual([["a"]]);
});

test("a late batch lets one go beside it, and no third", async () => {
  let clock = 0;
  vi.spyOn(performance, "now").mockImplementation(() => clock);
  const { run, batches, begun } = heldBatches(10);
  void run("a");
  await turn();
  void run("b");
  await turn();
  expect(begun()).toEqual([["a"]]);

  clock += 10;
  void run("c");
  await turn();
  expect(begun()).toEqual([["a"], ["b", "c"]]);

  clock += 10;
  void run("d");
  await turn();
  expect(begun()).toHaveLength(2);

  batches[0]?.end();
  await turn();
  expect(begun()).toEqual([["a"], ["b", "c"], ["d"]]);
});

test("items of one key are never in flight at once, and all get their answer", async () => {
  const { run, batches, begun } = heldBatches(0);
  const first = run("a");
  await turn();
  const second = run("a");
  const other = run("b");
  await turn();
  expect(begun()).toEqual([["a"], ["b"]]);

  batches[1]?.end();
  expect(await other).toBe("b");
  await turn();
  expect(begun()).toHaveLength(2);

  batches[0]?.end();
  expect(await first).toBe("a");
  await turn();
  batches[2]?.end();
  expect(await second).toBe("a");
});
