import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type EndpointCounts, evaluateHealth } from "@/lib/webhooks/endpoints/health/endpoint-health";

const NOW = new Date("2026-11-21T12:00:00.000Z");
const DAY_MS = 86_400_000;
const WELL = { failingSince: null, warnedPercent: 0 };

function daysAgo(days: number): Date {
  return new Date(NOW.getTime() - days * DAY_MS);
}

function counts(
  attempts: number,
  failures: number,
  failedSince: Date | null = null,
  succeededSince = 0,
): EndpointCounts {
  return { attempts, failures, failedSince, succeededSince };
}

describe("warnings", () => {
  test.each([
    [20, 9, 0, null],
    [20, 10, 50, 50],
    [20, 17, 50, 50],
    [20, 18, 90, 90],
    [200, 199, 90, 90],
    [10, 10, 100, 100],
    [9, 9, 0, null],
    [0, 0, 0, null],
  ] as const)("of %i attempts %i failed: %i %% is warned of", (attempts, failures, warnedPercent, warn) => {
    expect(evaluateHealth(WELL, counts(attempts, failures, NOW), NOW)).toMatchObject({ warnedPercent, warn });
  });

  test("each level once: again only when less than half failed in between", () => {
    const levels: unknown[] = [];
    let health = WELL as { failingSince: Date | null; warnedPercent: number };
    for (const failures of [50, 60, 95, 70, 100, 95, 100, 49, 50]) {
      const outcome = evaluateHealth(health, counts(100, failures, NOW), NOW);
      levels.push(outcome.warn);
      health = outcome;
    }
    expect(levels).toEqual([50, null, 90, null, 100, null, null, null, 50]);
  });

  test("a few attempts that all went well end it; a few that failed are not warned of", () => {
    const was = { failingSince: daysAgo(1), warnedPercent: 100 };
    expect(evaluateHealth(was, counts(2, 0), NOW)).toMatchObject(WELL);
    expect(evaluateHealth(was, counts(2, 2, daysAgo(1)), NOW)).toMatchObject({
      ...was,
      warn: null,
      disable: false,
    });
  });
});

test.each([
  [9, 90, false],
  [10, 0, true],
  [11, 0, true],
])("%i successes after the last failure leave a warning of %i %%", (succeededSince, percent, isRecovered) => {
  const was = { failingSince: null, warnedPercent: 90 };
  const seen = counts(200 + succeededSince, 190, null, succeededSince);
  expect(evaluateHealth(was, seen, NOW)).toMatchObject({ warnedPercent: percent, warn: null, isRecovered });
});

describe("disabling", () => {
  test.each([
    ["five days of failures", counts(10, 10, daysAgo(5)), true],
    ["a little less", counts(10, 10, new Date(daysAgo(5).getTime() + 1)), false],
    ["one success among the last attempts", counts(100, 99, daysAgo(6)), false],
    ["one attempt lately, which failed as all before it", counts(1, 1, daysAgo(6)), true],
    ["one of a few went well", counts(3, 2, daysAgo(6)), false],
    ["no attempt lately", counts(0, 0, daysAgo(6)), false],
  ])("%s", (_what, seen, disable) => {
    expect(evaluateHealth(WELL, seen, NOW).disable).toBe(disable);
  });

  test("property: never while less than all of the window's attempts failed", () => {
    fc.assert(
      fc.property(fc.nat(1000), fc.nat(1000), fc.nat(20), (attempts, failures, days) => {
        const seen = counts(attempts + failures + 1, failures, daysAgo(days));
        expect(evaluateHealth(WELL, seen, NOW).disable).toBe(false);
      }),
    );
  });
});
