import { expect, test } from "vitest";
import { makePlan } from "./make-plan.mjs";
import { STEP_TYPES } from "./step-types.mjs";

const SMALL = { steps: 200, minutes: 1 };

test("a seed always gives the same plan, and another seed another", () => {
  expect(makePlan({ seed: 7, ...SMALL })).toEqual(makePlan({ seed: 7, ...SMALL }));
  expect(makePlan({ seed: 8, ...SMALL })).not.toEqual(makePlan({ seed: 7, ...SMALL }));
});

test("a plan survives its file", () => {
  const plan = makePlan({ seed: 3, ...SMALL });
  expect(JSON.parse(JSON.stringify(plan))).toEqual(plan);
});

test("a longer history begins with the steps of the shorter one, and has the same world", () => {
  const short = makePlan({ seed: 5, steps: 50, minutes: 1 });
  const long = makePlan({ seed: 5, steps: 100, minutes: 1 });
  const chosen = ({ steps }: typeof short) => steps.filter(({ type }) => type !== "fault");
  expect(long.world).toEqual(short.world);
  for (const step of chosen(short)) expect(chosen(long)).toContainEqual(step);
});

test("steps are in the order of their times, within the minutes, and faults spare the begin and the end", () => {
  const { steps } = makePlan({ seed: 11, ...SMALL });
  const times = steps.map(({ atMs }) => atMs);
  expect(times).toEqual(times.toSorted((a, b) => a - b));
  expect(times.at(-1)).toBeLessThan(60_000);
  const faults = steps.filter(({ type }) => type === "fault").map(({ atMs }) => atMs);
  expect(faults.length).toBeGreaterThan(5);
  expect(Math.min(...faults)).toBeGreaterThanOrEqual(1000);
  expect(Math.max(...faults)).toBeLessThan(59_000);
});

test("every type of step and a line on the SMS center occur within a few seeds", () => {
  const plans = [1, 2, 3, 4, 5].map((seed) => makePlan({ seed, steps: 500, minutes: 1 }));
  const drawn = new Set(plans.flatMap(({ steps }) => steps.map(({ type }) => type)));
  for (const type of Object.keys(STEP_TYPES)) expect(drawn).toContain(type);
  for (const { world } of plans) expect(world.partners.map(({ transport }) => transport)).toContain("smpp");
});
