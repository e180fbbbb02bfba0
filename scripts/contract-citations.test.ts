import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const contract = readFileSync("docs/contract.md", "utf8");
const sections = [...contract.matchAll(/^###? (\d+(?:\.\d+)?)\.? /gm)].map(([, section = ""]) => section);

const files = globSync([
  "{app,components,docs,e2e,lib,scripts}/**/*.{ts,tsx,mjs,md}",
  "*.{ts,mjs,md}",
  "prisma/schema.prisma",
])
  .filter((file) => !file.startsWith("lib/platform/prisma/"))
  .map((file) => ({ file, text: readFileSync(file, "utf8") }));

test("every section of the contract has an anchor that does not depend on its title", () => {
  const anchors = [...contract.matchAll(/^<a id="([\d.]+)"><\/a>\n\n###? /gm)].map(([, id = ""]) => id);
  expect(anchors).toEqual(sections);
  expect(new Set(sections).size).toBe(sections.length);
});

test("every citation of the contract names a section that exists", () => {
  const cited = files.flatMap(({ file, text }) =>
    [...text.matchAll(/docs\/contract\.md, sections? (\d+(?:\.\d+)?)(?: and (\d+(?:\.\d+)?))?/g)].flatMap(
      ([, ...named]) =>
        named.filter((section) => section !== undefined).map((section) => ({ file, section })),
    ),
  );
  expect(cited.length).toBeGreaterThan(300);
  expect(cited.filter(({ section }) => !sections.includes(section))).toEqual([]);
});

/** How files may name the contract: a citation, a link, or the path alone. */
const NAMED =
  /docs\/contract\.md, sections? \d|\]\((?:docs\/)?contract\.md(?:#[\d.]+)?\)|"docs\/contract\.md"/g;

test("no file cites another contract, or this one in another form", () => {
  const wrong = files.filter(({ text }) => /\b(?:contract|partner-api)\.md/.test(text.replaceAll(NAMED, "")));
  expect(wrong.map(({ file }) => file)).toEqual([]);
});
