import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** Their parts are in the first view of the page, whose filters and steps must react to clicks at the same time as it. */
const WITH_THE_PAGE = ["components/home/home-view.tsx", "components/list/filter-field.tsx"];

// Without `loading`, React replaces the page by its loading state until the part is loaded: the text that the user was
// writing loses the focus.
test("every part that is loaded later has a boundary of its own, so that the rest of the page stays", () => {
  const parts = globSync("{app,components}/**/*.tsx").flatMap((file) =>
    readFileSync(file, "utf8")
      .split("= dynamic(")
      .slice(1)
      .map((text) => ({ file, options: text.slice(0, text.indexOf(";")) })),
  );

  expect(parts.length).toBeGreaterThan(40);
  const without = parts.filter(({ options }) => !options.includes("loading:")).map(({ file }) => file);
  expect([...new Set(without)].sort()).toEqual(WITH_THE_PAGE);
});
