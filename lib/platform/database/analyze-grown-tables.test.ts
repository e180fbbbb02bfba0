import "@/lib/testing/use-test-database";

import { expect, test } from "vitest";
import { analyzeGrownTables } from "@/lib/platform/database/analyze-grown-tables";
import { sql } from "@/lib/platform/database/db";
import { until } from "@/lib/testing/until";

async function rowsKnown(): Promise<number> {
  const [row] = await sql.runText<{ rows: number }>({
    text: "select reltuples::int as rows from pg_class where oid = 'processor_events'::regclass",
  });
  return row?.rows ?? Number.NaN;
}

async function insertRows(first: number, count: number): Promise<void> {
  await sql.runText({
    text: `insert into processor_events (processor, event_id, received_at)
           select 'sandbox', n::text, now() from generate_series($1::int, $2::int) n`,
    values: [first, first + count - 1],
  });
}

test("a table that has tripled is analyzed, and one that has grown by little is not", async () => {
  await sql.runText({ text: "alter table processor_events set (autovacuum_enabled = false)" });
  await insertRows(1, 1000);
  // PostgreSQL counts the changes of a table up to a second later.
  await until(async () => (await analyzeGrownTables()).includes("processor_events"));
  expect(await rowsKnown()).toBe(1000);

  await insertRows(1001, 1000);
  await until(async () => {
    const [row] = await sql.runText<{ changes: string }>({
      text: "select n_mod_since_analyze as changes from pg_stat_user_tables where relname = 'processor_events'",
    });
    return Number(row?.changes) >= 1000;
  });
  expect(await analyzeGrownTables()).not.toContain("processor_events");
  expect(await rowsKnown()).toBe(1000);

  await insertRows(2001, 1500);
  await until(async () => (await analyzeGrownTables()).includes("processor_events"));
  expect(await rowsKnown()).toBe(3500);
});
