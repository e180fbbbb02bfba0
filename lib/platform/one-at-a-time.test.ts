import { expect, test } from "vitest";
import { oneAtATime } from "@/lib/platform/one-at-a-time";

test("work of one key never overlaps and keeps its order, also after a failure; another key does not wait", async () => {
  const steps: string[] = [];
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  const step = (name: string, work: () => Promise<void>) => async () => {
    steps.push(`${name} begins`);
    await work();
    steps.push(`${name} ends`);
  };

  const first = oneAtATime(
    "a",
    step("first", () => gate),
  );
  const second = oneAtATime("a", () => Promise.reject(new Error("second")));
  const third = oneAtATime(
    "a",
    step("third", async () => undefined),
  );
  await oneAtATime(
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
