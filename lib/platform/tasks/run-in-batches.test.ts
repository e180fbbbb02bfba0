import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { runInBatches as RunInBatches } from "@/lib/platform/tasks/run-in-batches";

const rests: number[] = [];
let clock = 0;
let runInBatches: typeof RunInBatches;

beforeEach(async () => {
  rests.length = 0;
  vi.spyOn(performance, "now").mockImplementation(() => clock);
  // A new copy of the module, because other tests of this process may have loaded it with the real timers.
  vi.resetModules();
  vi.doMock("node:timers/promises", () => ({ setTimeout: async (ms: number) => rests.push(ms) }));
  ({ runInBatches } = await import("@/lib/platform/tasks/run-in-batches"));
});

afterEach(() => {
  vi.doUnmock("node:timers/promises");
  vi.resetModules();
  vi.restoreAllMocks();
});

/** Batches that take these times in ms. The last one finds nothing left. */
function batchesOf(...times: number[]): () => Promise<boolean> {
  return async () => {
    clock += times.shift() as number;
    return times.length > 0;
  };
}

test("runInBatches rests after each batch in proportion to its time, and not after the last", async () => {
  const stop = new AbortController().signal;
  expect(await runInBatches(batchesOf(10, 30, 5), { rest: 2, stop })).toBe(true);
  expect(rests).toEqual([20, 60]);
});

test("runInBatches stops before the next batch and says that work is left", async () => {
  const stopping = new AbortController();
  let ran = 0;
  const batch = async () => {
    ran++;
    stopping.abort();
    return true;
  };
  expect(await runInBatches(batch, { rest: 1, stop: stopping.signal })).toBe(false);
  expect(ran).toBe(1);
});

test("a batch that fails ends the work with its error", async () => {
  const stop = new AbortController().signal;
  const failing = runInBatches(() => Promise.reject(new Error("no connection")), { rest: 1, stop });
  await expect(failing).rejects.toThrow("no connection");
});
