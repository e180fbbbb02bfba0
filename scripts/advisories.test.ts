import { expect, test } from "vitest";
import { evaluateAdvisories } from "./advisories.mjs";

const report = (vulnerabilities: Record<string, { severity: string }>) =>
  JSON.stringify({
    vulnerabilities,
    metadata: { vulnerabilities: { total: Object.keys(vulnerabilities).length } },
  });

test("a high or critical advisory fails the check and is named", () => {
  const found = { pg: { severity: "high" }, sharp: { severity: "critical" }, clsx: { severity: "low" } };
  expect(evaluateAdvisories(report(found))).toEqual({
    passed: false,
    line: "advisories: pg (high), sharp (critical)",
  });
});

test("a lower one is counted, and passes", () => {
  expect(evaluateAdvisories(report({ clsx: { severity: "moderate" } }))).toEqual({
    passed: true,
    line: "advisories: none high or critical, 1 lower",
  });
});

test.each(["", "<html>", '{"statusCode": 405, "error": {}}', "null"])(
  "a registry that answers %j fails nothing",
  (answer) => {
    expect(evaluateAdvisories(answer)).toEqual({
      passed: true,
      line: "advisories: not checked because the registry did not respond",
    });
  },
);
