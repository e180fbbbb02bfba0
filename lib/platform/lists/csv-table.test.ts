import { expect, test } from "vitest";
import { csvPages } from "@/lib/platform/lists/csv-table";

/** A list of the numbers 1 to `count`, in pages of three. */
function readNumbers(count: number) {
  return async (cursor: string | undefined) => {
    const from = Number(cursor ?? 0);
    const items = Array.from({ length: Math.min(3, count - from) }, (_, index) => from + index + 1);
    return { items, nextCursor: from + 3 < count ? String(from + 3) : null };
  };
}

async function rowsOf(count: number, most: number): Promise<unknown[]> {
  const rows: unknown[] = [];
  for await (const page of csvPages(most, readNumbers(count), (n) => ({ n }))) {
    rows.push(...page.map((row) => row.n));
  }
  return rows;
}

test("all pages of a list are returned, in order", async () => {
  expect(await rowsOf(7, 100)).toEqual([1, 2, 3, 4, 5, 6, 7]);
  expect(await rowsOf(0, 100)).toEqual([]);
});

test("a list that is too long ends at the limit", async () => {
  expect(await rowsOf(7, 5)).toEqual([1, 2, 3, 4, 5]);
});

test.each([
  [7, 5, 5],
  [7, 6, 6],
  [7, 7, undefined],
  [6, 6, undefined],
  [0, 3, undefined],
])("a table of %i rows and at most %i is cut after %s", async (count, most, cutAfter) => {
  const pages = csvPages(most, readNumbers(count), (n) => ({ n }));
  let page = await pages.next();
  while (!page.done) page = await pages.next();
  expect(page.value).toBe(cutAfter);
});
