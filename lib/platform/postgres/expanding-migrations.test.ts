import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** Changes that break the statements of an earlier release, in SQL without comments and parentheses. */
const CONTRACTING: readonly [string, RegExp][] = [
  // A check or foreign key may be dropped. A unique index may not: `on conflict` needs it.
  ["drops", /\bdrop\s+(?!constraint\b|not\s+null\b)/i],
  ["renames", /\brename\b/i],
  ["changes a type", /\balter\s+(column\s+)?\S+\s+(set\s+data\s+)?type\b/i],
  ["requires a value", /\bset\s+not\s+null\b/i],
  [
    "adds a column that inserts must name",
    /\badd\s+(?!constraint\b)(?![^,;]*\bdefault\b)[^,;]*\bnot\s+null\b/i,
  ],
  ["adds a trigger", /\bcreate\s+(or\s+replace\s+)?(constraint\s+)?trigger\b/i],
];
const CREATED = /\bcreate\s+table\s+(?:if\s+not\s+exists\s+)?"?(\w+)/gi;
const UNIQUE = /\bcreate\s+unique\s+index\s+(?:if\s+not\s+exists\s+)?"?(\w+)"?\s+on\s+"?(\w+)/gi;
const ALTERED = /\balter\s+table\s+(?:only\s+)?"?(\w+)"?([^;]*)/gi;
const RESTRICTED = /\badd\s+(?:constraint\s+"?(\w+)"?|(primary|unique|check|foreign|exclude)\b)/gi;

/** The changes in a migration that the release before can't run with. `created`: tables that did not exist in that release. */
function contractions(sql: string, created: ReadonlySet<string> = new Set()): string[] {
  let code = sql.replaceAll(/--.*$/gm, "");
  for (let before = ""; before !== code; ) {
    before = code;
    code = code.replaceAll(/\([^()]*\)/g, " ");
  }
  const tables = new Set([...created, ...[...code.matchAll(CREATED)].flatMap(([, name]) => name ?? [])]);
  const unique = [...code.matchAll(UNIQUE)].filter(([, , table = ""]) => !tables.has(table));
  const restricted = [...code.matchAll(ALTERED)]
    .filter(([, table = ""]) => !tables.has(table))
    .flatMap(([, , clauses = ""]) => [...clauses.matchAll(RESTRICTED)]);
  return [
    ...CONTRACTING.filter(([, pattern]) => pattern.test(code)).map(([name]) => name),
    ...unique.map(([, name]) => `adds the unique index ${name}`),
    ...restricted.map(([, name, kind]) => `adds the constraint ${name ?? kind}`),
  ];
}

test.each([
  'ALTER TABLE "lines" DROP COLUMN "a"',
  "alter table lines drop a",
  "alter table lines alter a drop default",
  "drop index lines_key",
  "alter table lines rename column a to b",
  'ALTER TABLE "lines" ALTER COLUMN "a" SET DATA TYPE text',
  "alter table lines alter a type int",
  'ALTER TABLE "lines" ALTER COLUMN "a" SET NOT NULL',
  'ALTER TABLE "lines" ADD COLUMN "a" text NOT NULL',
  "alter table lines add a numeric(10, 2) not null",
  "alter table lines add constraint lines_a_check check (a > 0)",
  "alter table lines add unique (a)",
  "create unique index lines_a_key on lines (a)",
  "create trigger t before insert on lines for each row execute function f()",
])("a migration that breaks the release before is reported: %s", (sql) => {
  expect(contractions(sql)).toHaveLength(1);
});

test.each([
  'ALTER TABLE "lines" ADD COLUMN "a" text NOT NULL DEFAULT \'\'',
  "alter table lines add a numeric(10, 2)",
  "alter table lines drop constraint lines_a_check",
  "alter table lines alter a drop not null",
  "create index lines_a_idx on lines (a)",
  "create table news (id int not null); create unique index news_key on news (id); alter table news add unique (id)",
  "-- drop table lines",
])("a migration that leaves the release before running is accepted: %s", (sql) => {
  expect(contractions(sql)).toEqual([]);
});

test("migrations only add, or have a name that ends with _contract", () => {
  const [, ...names] = readdirSync("prisma/migrations").filter((name) => /^\d/.test(name));
  expect(names.length).toBeGreaterThan(0);
  const files = names.map((name) => ({
    name,
    sql: readFileSync(`prisma/migrations/${name}/migration.sql`, "utf8"),
  }));
  const created = new Set(
    files.flatMap(({ sql }) => [...sql.matchAll(CREATED)].flatMap(([, table]) => table ?? [])),
  );
  const breaking = files.flatMap(({ name, sql }) =>
    contractions(sql, created).map((what) => `${name} ${what}`),
  );
  expect(breaking.filter((each) => !/_contract /.test(each))).toEqual([]);
});
