import { expect, test } from "vitest";
import { runSerially } from "@/lib/platform/tasks/run-serially";

test("work of one key never overlaps and keeps its order, also after a failure; another key does not wait", async () => {
  const steps: string[] = [];
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  const step = (name: string, work: () => Promise<void>) => async () => {
    steps.push(`${name} begins`);
    await work();
    steps.push(`${name} ends`);
  };

  const first = runSerially(
    "a",
    step("first", () => gate),
  );
  const second = runSerially("a", () => Promise.reject(new Error("second")));
  const third = runSerially(
    "a",
    step("third", async () => undefined),
  );
  await runSerially(
    "b",
    step("other", async () => undefined),
  );
  open();

  await first;
  await expect(second).rejects.toThrow("second");
  await third;
  expect(steps).toEqual([
    "first begins",
    "other begins",
    "other ends",
    "first ends",
    "third begins",
    "third ends",
  ]);
});
