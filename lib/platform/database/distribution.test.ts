import "@/lib/testing/use-test-database";

import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { sql, transaction } from "@/lib/platform/database/db";
import {
  type Distribution,
  findDistributionFaults,
  readListedTables,
} from "@/lib/testing/database/distribution";

const TABLES = readListedTables();
const ACCOUNT = "account_id uuid not null references accounts (id)";

test("docs/schema.md lists each table once, and the schema has nothing else that Citus rejects", async () => {
  const names = TABLES.map(([name]) => name);
  expect(names).toEqual([...new Set(names)]);

  const faults = await findDistributionFaults(sql, TABLES);
  expect(faults.map(({ name, fault }) => `${name} ${fault}`)).toEqual(listedFaults());
});

test("no foreign key changes the keys of rows that refer to a row", async () => {
  const cascading = await sql.runText({
    text: `select conname from pg_constraint
           where contype = 'f' and connamespace = current_schema()::regnamespace and confupdtype <> 'a'`,
  });
  expect(cascading).toEqual([]);
});

describe("refused is", () => {
  test.each<[title: string, ddl: string, type: Distribution | null, fault: string]>([
    [
      "a table that is not listed",
      `create table tried (${ACCOUNT}, primary key (account_id))`,
      null,
      "tried is not listed",
    ],
    [
      "a table without the account",
      "create table tried (id uuid primary key)",
      "distributed",
      "tried has no account_id uuid not null, tried_pkey is unique without account_id",
    ],
    [
      "an account that may be null",
      "create table tried (id uuid, account_id uuid, unique (account_id, id), primary key (id))",
      "distributed",
      "tried has no account_id uuid not null, tried_pkey is unique without account_id",
    ],
    [
      "a table without a primary key",
      `create table tried (${ACCOUNT})`,
      "distributed",
      "tried has no primary key",
    ],
    [
      "a primary key without the account",
      `create table tried (${ACCOUNT}, id uuid primary key)`,
      "distributed",
      "tried_pkey is unique without account_id",
    ],
    [
      "a unique index that only includes the account",
      `create table tried (${ACCOUNT}, id uuid, slug text, primary key (account_id, id));
       create unique index tried_slug_key on tried (slug) include (account_id)`,
      "distributed",
      "tried_slug_key is unique without account_id",
    ],
    [
      "a partial unique index over an expression",
      `create table tried (${ACCOUNT}, id uuid, slug text, primary key (account_id, id));
       create unique index tried_slug_key on tried (lower(slug), id) where slug <> ''`,
      "distributed",
      "tried_slug_key is unique without account_id",
    ],
    [
      "an exclusion without the account",
      `create table tried (${ACCOUNT}, id uuid, during tstzrange, primary key (account_id, id),
         constraint tried_during_excl exclude using gist (during with &&))`,
      "distributed",
      "tried_during_excl is unique without account_id",
    ],
    [
      "a foreign key that does not compare the accounts",
      `create table tried (${ACCOUNT}, id uuid, of uuid, chat_id uuid, primary key (account_id, id),
         constraint tried_chat_fkey foreign key (of, chat_id) references chats (account_id, id))`,
      "distributed",
      "tried_chat_fkey does not have account_id in the same place on both sides",
    ],
    [
      "a foreign key to a table of the coordinator",
      `create table tried (${ACCOUNT}, id uuid, session_hash bytea constraint tried_session_fkey references sessions,
         primary key (account_id, id))`,
      "distributed",
      "tried_session_fkey leads from a distributed to a local table",
    ],
    [
      "a foreign key of a reference table to a distributed table",
      `create table tried (account_id uuid, chat_id uuid, primary key (account_id, chat_id),
         constraint tried_chat_fkey foreign key (account_id, chat_id) references chats (account_id, id))`,
      "reference",
      "tried_chat_fkey leads from a reference to a distributed table",
    ],
    [
      "a foreign key of a local table to a distributed table",
      `create table tried (account_id uuid, chat_id uuid, primary key (account_id, chat_id),
         constraint tried_chat_fkey foreign key (account_id, chat_id) references chats (account_id, id))`,
      "local",
      "tried_chat_fkey leads from a local to a distributed table",
    ],
    [
      "a foreign key that changes the account of a row",
      `create table tried (account_id uuid not null constraint tried_account_fkey references accounts (id) on update cascade,
         id uuid, primary key (account_id, id))`,
      "distributed",
      "tried_account_fkey changes account_id when the other row is updated or deleted",
    ],
    [
      "a foreign key that empties the account of a row",
      `create table tried (account_id uuid not null constraint tried_account_fkey references accounts (id) on delete set null,
         id uuid, primary key (account_id, id))`,
      "distributed",
      "tried_account_fkey changes account_id when the other row is updated or deleted",
    ],
    [
      "a trigger",
      `create table tried (${ACCOUNT}, primary key (account_id));
       create trigger tried_trigger before update on tried for each row execute function suppress_redundant_updates_trigger()`,
      "distributed",
      "tried_trigger is a trigger",
    ],
    [
      "a rule",
      `create table tried (${ACCOUNT}, primary key (account_id));
       create rule tried_rule as on delete to tried do instead nothing`,
      "reference",
      "tried_rule is a rule",
    ],
    [
      "a table that inherits",
      `create table tried (primary key (account_id, id)) inherits (chats)`,
      "distributed",
      "tried inherits from a table",
    ],
    [
      "a small number",
      `create table tried (${ACCOUNT}, id serial, primary key (account_id, id))`,
      "distributed",
      "tried.id is numbered with less than a bigint",
    ],
    [
      "an identity that is not listed",
      `create table tried (${ACCOUNT}, id bigint generated always as identity, primary key (account_id, id))`,
      "distributed",
      "tried.id is numbered by each node",
    ],
    [
      "a default that each node computes",
      `create table tried (${ACCOUNT}, id bigint default txid_current(), primary key (account_id, id))`,
      "distributed",
      "tried.id has a default of one node",
    ],
  ])("%s", async (_title, ddl, type, expected) => {
    const known = await findDistributionFaults(sql, TABLES);
    const faults = await withTables(ddl, type === null ? TABLES : [...TABLES, ["tried", type]]);
    const found = faults.map(({ name, fault }) => `${name} ${fault}`);
    const before = known.map(({ name, fault }) => `${name} ${fault}`);

    expect(found.filter((each) => !before.includes(each)).join(", ")).toBe(expected);
    expect(before.filter((each) => !found.includes(each))).toEqual([]);
  });

  test("a listed table that does not exist", async () => {
    expect(await findDistributionFaults(sql, [...TABLES, ["tried", "distributed"]])).toContainEqual({
      name: "tried",
      fault: "does not exist",
    });
  });
});

test("a table that fits is not refused", async () => {
  const ddl = `create table tried (${ACCOUNT}, id uuid not null, chat_id uuid not null, number bigint not null,
      created_at timestamptz not null default current_timestamp, state text not null default 'new',
      primary key (account_id, id), unique (number, account_id),
      foreign key (account_id, chat_id) references chats (account_id, id) on delete cascade);
    create index tried_state_idx on tried (lower(state))`;

  const faults = await withTables(ddl, [...TABLES, ["tried", "distributed"]]);

  expect(faults).toEqual(await findDistributionFaults(sql, TABLES));
});

/** The faults of the schema while it has more tables, which are rolled back. */
async function withTables(ddl: string, tables: [string, Distribution][]) {
  let faults: Awaited<ReturnType<typeof findDistributionFaults>> = [];
  const done = new Error("the tables were looked at");
  const work = transaction(async (tx) => {
    for (const text of ddl.split(";\n")) await tx.runText({ text });
    faults = await findDistributionFaults(tx, tables);
    throw done;
  });
  await expect(work).rejects.toBe(done);
  return faults;
}

/** The faults that docs/schema.md accepts, in its order. */
function listedFaults(): string[] {
  const section = readFileSync("docs/schema.md", "utf8")
    .split(/\n##+ /)
    .find((text) => text.startsWith("Rejected or different on several nodes"));
  return [...(section ?? "").matchAll(/^\| `([^`]+)` \| ([^|]+) \|/gm)].map(
    ([, name, fault]) => `${name} ${fault}`,
  );
}
