import { cpSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type CatalogObject, findContractions, readObjects } from "../../testing/database/catalog-objects.ts";
import { createEmptyDatabase } from "../../testing/template-database.ts";
import { applyMigrations } from "./migrate.ts";

const MIGRATIONS = "prisma/migrations";
/** Restrictions of existing columns that no statement of an earlier release violates, each with the reason. */
const ALLOWED: Readonly<Record<string, string>> = {};

let folder: string;
let client: pg.Client;
let drop: () => Promise<void>;
/** The schema after the baseline, and after each migration since. */
const schemas: { name: string; objects: CatalogObject[] }[] = [];

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), "trunkline-expanding-"));
  const database = await createEmptyDatabase();
  drop = database.drop;
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  for (const name of readdirSync(MIGRATIONS).filter((name) => /^\d/.test(name))) {
    copy(name);
    await applyMigrations(database.url, { dir: folder });
    schemas.push({ name, objects: await readObjects(client) });
  }
});

afterAll(async () => {
  await client.end();
  await drop();
  rmSync(folder, { recursive: true, force: true });
});

function copy(name: string): void {
  cpSync(path.join(MIGRATIONS, name), path.join(folder, name), { recursive: true });
}

test("no migration takes away what the statements of the release before need, or refuses what they write", () => {
  expect(schemas.length).toBeGreaterThan(1);
  const found = schemas
    .slice(1)
    .flatMap(({ name, objects }, index) =>
      name.endsWith("_contract")
        ? []
        : findContractions(schemas[index]?.objects ?? [], objects).map((change) => `${name} ${change}`),
    );
  expect(found.filter((change) => !(change in ALLOWED))).toEqual([]);
  expect(Object.keys(ALLOWED).filter((change) => !found.includes(change))).toEqual([]);
});

describe("the comparison of two schemas", () => {
  /** The contractions of statements, which are rolled back. */
  async function contractionsOf(sql: string): Promise<string[]> {
    const before = schemas.at(-1)?.objects ?? [];
    await client.query("begin");
    try {
      await client.query(sql);
      return findContractions(before, await readObjects(client));
    } finally {
      await client.query("rollback");
    }
  }

  test.each([
    ["drop table line_days", "drops the table line_days"],
    ["do $$ begin execute 'drop table line_' || 'days'; end $$", "drops the table line_days"],
    ["alter table lines drop column rcs", "drops the column lines.rcs"],
    ["alter table lines rename column rcs to has_rcs", "drops the column lines.rcs"],
    ["alter table lines alter poll_failures type bigint", "changes the type of lines.poll_failures"],
    ["alter table lines alter poll_failures drop default", "drops the default of lines.poll_failures"],
    ["alter table lines alter poll_cursor set not null", "requires a value of lines.poll_cursor"],
    ["alter table lines add color text not null", "adds the column lines.color, which inserts must name"],
    [
      "create unique index lines_transport_key on lines (transport)",
      "adds the unique index lines_transport_key",
    ],
    [
      "alter table lines add constraint lines_transport_check check (transport <> '')",
      "adds the check lines.lines_transport_check",
    ],
    [
      "alter table lines add constraint lines_pick_fkey foreign key (id) references partners (id) not valid",
      "adds the foreign key lines.lines_pick_fkey",
    ],
    [
      `alter table lines drop constraint lines_poll_failures_check;
       alter table lines add constraint lines_poll_failures_check check (poll_failures between 0 and 9)`,
      "changes the constraint lines.lines_poll_failures_check",
    ],
    ["drop index lines_phone_number_key", "drops the index lines_phone_number_key"],
    [
      `create function refuse() returns trigger language plpgsql as $$ begin return null; end $$;
       create trigger lines_refuse before insert on lines for each row execute function refuse()`,
      "adds the trigger lines.lines_refuse",
    ],
    [
      "alter type line_status rename to old_status; create type line_status as enum ('ACTIVE')",
      "changes the type of lines.status|drops the enum value line_status.FLAGGED",
    ],
  ])("names: %s", async (sql, expected) => {
    expect(await contractionsOf(sql)).toEqual(expect.arrayContaining(expected.split("|")));
  });

  test.each([
    "create table news (id int not null unique, line uuid)",
    "alter table lines add color text",
    "alter table lines add color text not null default 'blue' check (color <> '')",
    "alter table lines add serial int, add unique (serial)",
    "alter table lines alter transport drop not null",
    "alter table lines drop constraint lines_poll_failures_check",
    "alter type line_status add value 'PAUSED'",
    "create index lines_rcs_idx on lines (rcs)",
  ])("accepts: %s", async (sql) => {
    expect(await contractionsOf(sql)).toEqual([]);
  });

  test("names a function that is dropped", () => {
    const [some] = schemas.at(-1)?.objects ?? [];
    if (some === undefined) throw new Error("the schema is empty");
    const gone: CatalogObject = { ...some, type: "function", name: "f(integer)", table: null };
    expect(findContractions([gone], [])).toEqual(["drops the function f(integer)"]);
  });
});
