import "@/lib/testing/use-test-database";

import { parse } from "csv-parse/sync";
import { expect, test } from "vitest";
import { z } from "zod";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { type CsvTable, csvPages } from "@/lib/platform/lists/csv-table";
import { csvEndpoint } from "@/lib/runtime/http/csv-endpoint";
import { createTestAccount } from "@/lib/testing/create-test-account";
import { signInAs } from "@/lib/testing/sign-in/sign-in-as";

const Export = contract({
  summary: "Export numbers",
  tag: "Test",
  right: "signed_in",
  query: z.object({ most: z.coerce.number() }),
  status: 200,
  errors: [],
});

const NUMBERS = [1, 2, 3, 4, 5];

const route = csvEndpoint({ contract: Export, run: exportNumbers });

async function exportNumbers(_: Context, { query }: Input<typeof Export>): Promise<CsvTable> {
  const read = async (cursor: string | undefined) => {
    const from = Number(cursor ?? 0);
    const items = NUMBERS.slice(from, from + 2);
    return { items, nextCursor: from + 2 < NUMBERS.length ? String(from + 2) : null };
  };
  const pages = csvPages(query.most, read, (n) => ({ n, text: `=${n}` }));
  return { filename: "numbers.csv", columns: ["n", "text"], pages };
}

async function linesOf(most: number): Promise<string[][]> {
  const viewer = await signInAs(await createTestAccount({ type: "sandbox" }), "viewer");
  const { body } = await viewer.call(route, { query: { most: String(most) } });
  // The parser is strict: every line must have as many cells as the first.
  return parse(body, { bom: true });
}

test("a table that was cut says so in its last line, and one that was not says nothing", async () => {
  expect(await linesOf(4)).toEqual([
    ["n", "text"],
    ...[1, 2, 3, 4].map((n) => [`${n}`, `'=${n}`]),
    [expect.stringMatching(/^Incomplete: this file contains only the first 4 rows/), ""],
  ]);
  expect(await linesOf(5)).toHaveLength(6);
});
