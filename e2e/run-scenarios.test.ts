// Runs every scenario against one instance: `npx vitest run --config e2e/scenarios.config.ts`, or with `-t "First
// message"` one of them. TRUNKLINE_URL and TRUNKLINE_TOKEN choose a running instance.
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Instance, runScenario, type Scenario, startInstance } from "@/lib/testkit/testing";

const FILES = import.meta.glob<Scenario>("./scenarios/*.ts", { eager: true, import: "default" });
const scenarios = Object.entries(FILES);
const { TRUNKLINE_URL } = process.env;

let instance: Instance | null = null;

beforeAll(async () => {
  if (TRUNKLINE_URL === undefined) instance = await startInstance();
});

afterAll(() => instance?.stop());

test("at least 20 scenarios have titles of their own", () => {
  expect(scenarios.length).toBeGreaterThanOrEqual(20);
  expect(new Set(scenarios.map(([, { title }]) => title)).size).toBe(scenarios.length);
});

for (const [, scenario] of scenarios) {
  test(`${scenario.title}: ${scenario.promise}`, () =>
    runScenario(scenario, {
      timeoutMs: 30_000,
      ...(instance === null ? {} : { url: instance.url, token: instance.token }),
    }));
}
