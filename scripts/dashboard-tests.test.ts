import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const text = readFileSync("docs/dashboard.md", "utf8");

/** The cited tests: `path`: "title". */
const cited = [...text.matchAll(/`([\w./-]+\.(?:spec|test)\.tsx?)`: "([^"]+)"/g)].map(
  ([, file = "", title = ""]) => ({ file, title }),
);

test("every test that the answer to the dashboard's review cites exists under its title", () => {
  expect(cited.length).toBeGreaterThan(50);
  const wrong = cited.filter(
    ({ file, title }) => !existsSync(file) || !readFileSync(file, "utf8").includes(`"${title}"`),
  );
  expect(wrong).toEqual([]);
});

test("every file of tests that is named exists", () => {
  const named = [...text.matchAll(/`([\w./-]+\.(?:spec|test)\.tsx?)`/g)].map(([, file = ""]) => file);
  expect(named.filter((file) => !existsSync(file))).toEqual([]);
});
