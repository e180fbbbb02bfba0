import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { ListTotal } from "@/lib/platform/lists/total-of";
import type { Route } from "@/lib/runtime/http/endpoint";

const PAGES = "app/(dashboard)";
const routeFiles = import.meta.glob<{ GET?: Route }>("/app/api/**/route.ts", { eager: true });

/** Components that only lists use. A page that uses one of them shows a list. */
const OF_LISTS = [
  "components/list/list-screen.tsx",
  "components/list/filter-bar.tsx",
  "components/data/load-more.tsx",
];

/**
 * Pages with rows that need no list frame: the messages of a chat are inside the chat's frame, and the steps on a
 * detail page are bounded.
 */
const NOT_A_LIST = ["chats/[chatId]/page.tsx"];

/** The chat list is a pane beside the open chat. Its layout has no separate page and renders its own skeleton. */
const PANES = ["chats/layout.tsx"];

function fileOf(module: string): string | undefined {
  return [`${module}.tsx`, `${module}.ts`].find((file) => existsSync(file));
}

/** The file and all components that it imports, directly or indirectly, also those that it loads later. */
function piecesOf(file: string, found = new Set<string>()): Set<string> {
  if (found.has(file)) return found;
  found.add(file);
  const imports = readFileSync(file, "utf8").matchAll(
    /(?:^(?:import (?!type)|\} )[^;]*?from |await import\()"@\/(components\/[^"]+)"/gm,
  );
  for (const [, module = ""] of imports) {
    const imported = fileOf(module);
    if (imported !== undefined) piecesOf(imported, found);
  }
  return found;
}

const pages = readdirSync(PAGES, { recursive: true, encoding: "utf8" })
  .filter((file) => /^(page|layout)\.tsx$/.test(path.basename(file)))
  .map((file) => {
    const pieces = [...piecesOf(path.join(PAGES, file))];
    return { file, pieces, source: pieces.map((piece) => readFileSync(piece, "utf8")).join("\n") };
  })
  .filter(
    ({ file, pieces }) => pieces.some((piece) => OF_LISTS.includes(piece)) && !NOT_A_LIST.includes(file),
  );

/** The API paths of the lists that a page reads, with `[id]` in place of each value. */
function listsOf(source: string): string[] {
  const named = [
    ...source.matchAll(/\bapi: ["`](\/api\/[^"`]+)["`]/g),
    ...source.matchAll(/`(\/api\/[^`]+)\/csv\$/g),
  ];
  return [...new Set(named.map(([, api = ""]) => api.replace(/\$\{[^}]*\}/g, "[id]")))];
}

function routeOf(api: string): Route | undefined {
  const pattern = new RegExp(`^/app${api.replaceAll("[id]", "\\[\\w+\\]")}/route\\.ts$`);
  return Object.entries(routeFiles).find(([file]) => pattern.test(file))?.[1].GET;
}

test("the lists of the dashboard are found", () => {
  expect(pages.length).toBeGreaterThanOrEqual(18);
});

test("the list kit itself offers Clear filters, a total and an export", () => {
  const screen = readFileSync("components/list/list-screen.tsx", "utf8");
  for (const part of ["<FilterBar", "<ListTotal", "<CsvLink", "Clear filters"])
    expect(screen).toContain(part);
});

describe.each(pages)("$file", ({ file, pieces, source }) => {
  test("offers Clear filters, a total and an export", () => {
    const own = pieces.filter((piece) => !piece.startsWith("components/list/"));
    const source = own.map((piece) => readFileSync(piece, "utf8")).join("\n");
    if (source.includes("<ListScreen")) return;
    expect(source).toMatch(/<FilterBar\b|Clear filters/);
    expect(source).toContain("<ListTotal");
    expect(source).toContain("<CsvLink");
  });

  test("reads lists that have a total and an export with the same right", () => {
    const lists = listsOf(source);
    expect(lists).not.toEqual([]);
    for (const api of lists) {
      const list = routeOf(api)?.contract;
      const shape = list?.returns instanceof z.ZodObject ? list.returns.shape : {};
      expect(list?.right, api).toBeDefined();
      expect(routeOf(`${api}/csv`)?.contract.right, `${api}/csv`).toBe(list?.right);
      // A list without pagination shows all of its rows.
      if ("next_cursor" in shape) expect(shape.total, `the total of ${api}`).toBe(ListTotal);
    }
  });

  test("has a skeleton with the layout of its list", () => {
    if (PANES.includes(file)) return expect(source).toMatch(/Loading\w+ \/>/);
    const loading = path.join(PAGES, path.dirname(file), "loading.tsx");
    expect(existsSync(loading), loading).toBe(true);
    const shared = [...piecesOf(loading)].filter((piece) => pieces.includes(piece));
    expect(shared).toEqual(
      expect.arrayContaining([expect.stringMatching(/^components\/list\/list-(screen|page)\.tsx$/)]),
    );
  });
});
