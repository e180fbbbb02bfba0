import "@/lib/testing/use-test-database";

import { expect, test } from "vitest";
import { sql } from "@/lib/platform/database/db";
import {
  CHAT_TABLES,
  HANDLE_TABLES,
  MESSAGE_TABLES,
  OTHER_DELETED_TABLES,
} from "@/lib/privacy/erasure/deleted-tables";
import { KEPT_TABLES } from "@/lib/privacy/erasure/person-tables";
import { SEARCHED_TABLES } from "@/lib/privacy/erasure/search-tables";

const DELETED: readonly string[] = [
  ...HANDLE_TABLES,
  ...CHAT_TABLES,
  ...MESSAGE_TABLES,
  ...OTHER_DELETED_TABLES,
];

/** The columns of text, JSON or bytes of every table, without partitions. */
async function readColumns(): Promise<Map<string, string[]>> {
  const rows = await sql.runText<{ table: string; columns: string[] | null }>({
    text: `select c.relname as table, (
             select array_agg(a.attname::text order by a.attname) from pg_attribute a join pg_type t on t.oid = a.atttypid
             where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
               and t.typname in ('text', 'varchar', 'json', 'jsonb', 'bytea', '_text', '_jsonb', '_json')) as columns
           from pg_class c
           where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
             and c.relname <> '_prisma_migrations'`,
  });
  return new Map(rows.map(({ table, columns }) => [table, columns ?? []]));
}

test("an erasure treats every table", async () => {
  const tables = [...(await readColumns()).keys()];
  const toDo = "name a new table in deleted-tables.ts if an erasure deletes its rows, or in person-tables.ts";
  expect([...new Set([...DELETED, ...Object.keys(KEPT_TABLES)])].sort(), toDo).toEqual(tables.sort());
});

test("each column of text, JSON or bytes of a table whose rows stay is in a list of it", async () => {
  const columns = await readColumns();
  for (const [table, { emptied = [], searched = [], neutral = [] }] of Object.entries(KEPT_TABLES)) {
    const listed = [...new Set([...emptied, ...searched, ...neutral])].sort();
    const toDo = `name a new column in emptied, searched or neutral of ${table} in person-tables.ts`;
    expect.soft(listed, toDo).toEqual(columns.get(table));
  }
});

test("the tables that are searched are searched in the columns that are listed", () => {
  for (const { table, columns } of SEARCHED_TABLES) {
    expect([table, [...columns].sort()]).toEqual([table, [...(KEPT_TABLES[table]?.searched ?? [])].sort()]);
  }
  const apart = ["api_requests", "audit_entries", "events", "simulator_messages", "webhook_attempts"];
  const searched = Object.entries(KEPT_TABLES).flatMap(([table, { searched }]) => (searched ? [table] : []));
  expect(searched.sort()).toEqual([...SEARCHED_TABLES.map(({ table }) => table), ...apart].sort());
});

test("no table with the account of a deleted row refers to rows that stay behind", async () => {
  const missing = await sql.runText<{ table: string }>({
    text: `select distinct c.relname as table from pg_class c join pg_attribute a on a.attrelid = c.oid
           where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
             and a.attname in ('chat_id', 'message_id') and c.relname <> all($1::text[]) order by 1`,
    values: [
      [...DELETED, "events", "api_requests", "opt_outs", "messages", "participants", "webhook_sequences"],
    ],
  });
  expect(missing).toEqual([]);
});
