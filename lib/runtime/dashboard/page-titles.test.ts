import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** Pages whose layout names them. */
const NAMED_BY_LAYOUT: Record<string, string> = {
  "app/(dashboard)/chats/page.tsx": "Chats",
  "app/docs/page.tsx": "Documentation",
};
const NAMES_ITSELF = /export (const|async function) generateMetadata\b/;

test("every page has a title of its own, and pages of one thing name the thing", () => {
  const pages = globSync("app/**/page.tsx");
  expect(pages.length).toBeGreaterThan(60);
  const titles = new Map<string, string>();
  for (const page of pages) {
    const source = readFileSync(page, "utf8");
    const fixed = /export const metadata = \{ title: (?:\{ absolute: )?"([^"]+)"/.exec(source)?.[1];
    const title = fixed ?? NAMED_BY_LAYOUT[page];
    if (title === undefined) {
      expect(source, `${page} has no title`).toMatch(NAMES_ITSELF);
      continue;
    }
    const isOfOneThing = /\[(?!\.\.\.path|token)[^\]]+\]/.test(page);
    expect(isOfOneThing, `${page} does not name what it shows`).toBe(false);
    expect(titles.get(title), `${page} has the title of another page`).toBeUndefined();
    titles.set(title, page);
  }
});

test("no layout takes the product's name from the titles of the pages below it", () => {
  for (const layout of globSync("app/**/layout.tsx")) {
    const title = /title: (.*)/.exec(readFileSync(layout, "utf8"))?.[1];
    expect(title ?? "template", layout).toContain("template");
  }
});
