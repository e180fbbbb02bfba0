import "@/lib/testing/use-test-database";

import { expect, test } from "vitest";
import { sql } from "@/lib/platform/database/db";
import { KEPT_TABLES, LINE_STATE, STATE_TABLES } from "@/lib/simulator/accounts/account-tables";

const names = (rows: { name: string }[]) => rows.map(({ name }) => name);

test("each table with an account is in exactly one of the two lists", async () => {
  const tables = await sql.runText<{ name: string }>({
    text: `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid
           where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
             and a.attname = 'account_id' and not a.attisdropped`,
  });
  const listed = [...STATE_TABLES, ...Object.keys(KEPT_TABLES)].filter((name) => name !== "accounts");
  expect(listed.sort()).toEqual(names(tables).sort());
});

test("a state table comes after the tables that it refers to, and no kept table refers to one", async () => {
  const keys = await sql.runText<{ from: string; to: string }>({
    text: `select f.relname as from, t.relname as to from pg_constraint k
             join pg_class f on f.oid = k.conrelid join pg_class t on t.oid = k.confrelid
           where k.contype = 'f' and f.relnamespace = current_schema()::regnamespace and k.conparentid = 0`,
  });
  const places = new Map<string, number>(STATE_TABLES.map((name, index) => [name, index]));
  const wrong = keys.filter(({ from, to }) => {
    const place = places.get(to);
    return place !== undefined && (places.get(from) ?? -1) < place;
  });
  expect(wrong).toEqual([]);
});

test("no state table has a generated column or a trigger that would change a restored row", async () => {
  const generated = await sql.runText<{ name: string }>({
    text: `select attrelid::regclass::text as name from pg_attribute
           where attgenerated <> '' and attrelid = any($1::text[]::regclass[])
           union all
           select tgrelid::regclass::text from pg_trigger
           where not tgisinternal and tgtype & 4 <> 0 and tgrelid = any($1::text[]::regclass[])`,
    values: [STATE_TABLES],
  });
  expect(names(generated)).toEqual([]);
});

test("the state of a line is in columns that exist", async () => {
  const columns = await sql.runText<{ name: string }>({
    text: "select attname as name from pg_attribute where attrelid = 'lines'::regclass and attname = any($1::text[])",
    values: [Object.keys(LINE_STATE)],
  });
  expect(names(columns).sort()).toEqual(Object.keys(LINE_STATE).sort());
});
