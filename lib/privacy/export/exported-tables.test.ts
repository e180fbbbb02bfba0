import "@/lib/testing/use-test-database";

import { expect, test } from "vitest";
import { sql } from "@/lib/platform/database/db";
import { HANDLE_TABLES } from "@/lib/privacy/erasure/deleted-tables";
import { COPIES, EXPORTED_TABLES, LEFT_OUT } from "@/lib/privacy/export/exported-tables";

const OURS =
  "c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition";

const exported = EXPORTED_TABLES.map(({ table }) => table);

test("an archive of an account contains every table of accounts, or says why not", async () => {
  const rows = await sql.runText<{ name: string }>({
    text: `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid
           where ${OURS} and a.attname = 'account_id' and not a.attisdropped`,
  });
  const tables = ["accounts", ...rows.map(({ name }) => name)].sort();
  expect([...exported, ...Object.keys(LEFT_OUT)].sort()).toEqual(tables);
});

test("a table is read in the order of its primary key", async () => {
  const keys = await sql.runText<{ table: string; key: string[] }>({
    text: `select c.relname as table, array_agg(a.attname::text order by k.place) as key
           from pg_class c join pg_index i on i.indrelid = c.oid and i.indisprimary
             cross join unnest(i.indkey) with ordinality k(number, place)
             join pg_attribute a on a.attrelid = c.oid and a.attnum = k.number
           where ${OURS} and c.relname = any($1::text[]) group by 1`,
    values: [exported],
  });
  const byTable = new Map(keys.map(({ table, key }) => [table, key.filter((name) => name !== "account_id")]));
  for (const { table, key } of EXPORTED_TABLES) {
    expect([table, key.map(([name]) => name)]).toEqual([table, byTable.get(table)]);
  }
});

test("no archive contains bytes, such as hashes and sealed secrets, or columns that do not exist", async () => {
  const columns = await sql.runText<{ table: string; name: string; type: string }>({
    text: `select c.relname as table, a.attname as name, format_type(a.atttypid, null) as type
           from pg_class c join pg_attribute a on a.attrelid = c.oid
           where ${OURS} and c.relname = any($1::text[]) and a.attnum > 0 and not a.attisdropped`,
    values: [exported],
  });
  for (const { table, hidden = [] } of EXPORTED_TABLES) {
    const own = columns.filter((column) => column.table === table);
    expect([table, hidden.filter((name) => !own.some((column) => column.name === name))]).toEqual([
      table,
      [],
    ]);
    const bytes = own.filter(({ type }) => type === "bytea").map(({ name }) => name);
    expect([table, bytes.filter((name) => !hidden.includes(name))]).toEqual([table, []]);
  }
});

test("an archive of a person contains every table with a handle, a chat or a message, or it is a copy", async () => {
  const rows = await sql.runText<{ name: string }>({
    text: `select distinct c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid
           where ${OURS} and a.attname in ('handle', 'chat_id', 'message_id') and not a.attisdropped
             and c.relname <> all($1::text[])`,
    values: [[...COPIES, ...Object.keys(LEFT_OUT)]],
  });
  const ofPerson = EXPORTED_TABLES.filter((table) => table.ofPerson !== undefined).map(({ table }) => table);
  const without = rows.map(({ name }) => name).filter((name) => !ofPerson.includes(name));
  expect(without.sort()).toEqual(["experience_cards", "person_erasures"]);
  expect(HANDLE_TABLES.filter((name) => !ofPerson.includes(name) && !(name in LEFT_OUT))).toEqual([]);
});
