import { expect, test } from "vitest";
import { AREAS, type Check } from "@/scripts/cli/conform/check";
import { explainUntested, toLines, untestedOf } from "@/scripts/cli/conform/print-report";

const check = (area: Check["area"], outcome: Check["outcome"], seen: string): Check => ({
  ...{ id: `${area}/one`, area, outcome, seen },
  ...{ section: "1.1", expected: "200" },
});
const NO_ONE = "needs someone to write to";
const STOPPED = "http://a.example stopped responding: ECONNREFUSED";

test.each([
  ["every area ran", [check("lists", "passed", "")], ["lists"], null, "The same as the contract: 1 passed"],
  ["all was skipped", [check("sends", "skipped", NO_ONE)], [], AREAS, "Nothing was tested: 0 passed"],
  [
    "an area was skipped",
    [check("lists", "passed", ""), check("sends", "skipped", NO_ONE)],
    ["lists", "sends"],
    ["sends"],
    "Nothing was tested of sends: 1 passed",
  ],
  [
    "the server stopped before an area",
    [check("tokens", "different", STOPPED)],
    ["tokens", "lists"],
    ["lists"],
    "Different from the contract: 0 passed, 1 different",
  ],
  ["there are no checks", [], ["lists"], ["lists"], "Nothing was tested of lists: 0 passed"],
] as const)("the verdict when %s", (_, checks, only, areas, verdict) => {
  const untested = untestedOf(checks, only);
  expect(untested?.areas ?? null).toEqual(areas);
  expect(toLines(checks, untested).at(-1)).toContain(verdict);
  if (untested === null) return;
  const reason = checks.at(-1)?.seen ?? "the document has no operations";
  expect(explainUntested(untested)).toMatch(/^Nothing was tested( of \w+)?: /);
  expect(untested.reason).toBe(reason);
});
