import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** Their parts are in the first view of the page, whose filters and steps must react to clicks at the same time as it. */
const WITH_THE_PAGE = ["components/home/home-screen.tsx", "components/list/filter-field.tsx"];

const parts = globSync("{app,components}/**/*.tsx").flatMap((file) =>
  readFileSync(file, "utf8")
    .split("= dynamic(")
    .slice(1)
    .map((text) => ({ file, options: text.slice(0, text.indexOf(";")) })),
);

function filesWithout(option: string): string[] {
  const without = parts.filter(({ options }) => !options.includes(option));
  return [...new Set(without.map(({ file }) => file))].sort();
}

// Without `loading`, React replaces the page by its loading state until the part is loaded: the text that the user was
// writing loses the focus.
test("every part that is loaded later has a boundary of its own, so that the rest of the page stays", () => {
  expect(parts.length).toBeGreaterThan(40);
  expect(filesWithout("loading:")).toEqual(WITH_THE_PAGE);
});

test("every part that is loaded later is loaded again after a failure, which would replace the page", () => {
  expect(filesWithout("untilLoaded(")).toEqual([]);
});
