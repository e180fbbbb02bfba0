import { expect, test } from "vitest";
import { shrinkPlan } from "./shrink-plan.mjs";

const planOf = (count: number) => ({
  seed: 1,
  steps: Array.from({ length: count }, (_, number) => ({ number })),
});
const has = (...wanted: number[]) => {
  const runs: number[] = [];
  const fails = async ({ steps }: ReturnType<typeof planOf>) => {
    runs.push(steps.length);
    return wanted.every((number) => steps.some((step) => step.number === number));
  };
  return { fails, runs };
};

test("the two steps of a hundred that are needed remain, in their order", async () => {
  const { fails } = has(17, 80);
  const { steps } = await shrinkPlan(planOf(100), { fails, runs: 1000 });
  expect(steps).toEqual([{ number: 17 }, { number: 80 }]);
});

test("no more histories are run than allowed, and the shortest that failed is returned", async () => {
  const { fails, runs } = has(3);
  const { steps } = await shrinkPlan(planOf(64), { fails, runs: 4 });
  expect(runs).toHaveLength(4);
  expect(steps.length).toBe(Math.min(64, ...runs.filter((length) => length === steps.length)));
  expect(steps).toContainEqual({ number: 3 });
});

test("a history that fails only whole is returned whole", async () => {
  const plan = planOf(5);
  const { steps } = await shrinkPlan(plan, { fails: async () => false, runs: 100 });
  expect(steps).toEqual(plan.steps);
});
