import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** Earlier migrations were written before releases could run side by side. */
const FIRST = "20261123100000";
/** Changes that break the statements of an earlier release. Constraints and indexes may be dropped: no statement names them. */
const CONTRACTING: readonly [string, RegExp][] = [
  ["drops a table, column or type", /\bdrop\s+(table|column|type|view|function|sequence)\b/i],
  ["renames", /\brename\b/i],
  ["changes a type", /\balter\s+column\s+\S+\s+(set\s+data\s+)?type\b/i],
  ["requires a value", /\bset\s+not\s+null\b/i],
  [
    "adds a column without a default that inserts must name",
    /\badd\s+column\b(?![^,;]*\bdefault\b)[^,;]*\bnot\s+null\b/i,
  ],
];

/** The changes in a migration that break the release before. */
function contractions(sql: string): string[] {
  const code = sql.replaceAll(/--.*$/gm, "");
  return CONTRACTING.filter(([, pattern]) => pattern.test(code)).map(([name]) => name);
}

test("each way to break the release before is recognized", () => {
  expect(contractions('ALTER TABLE "lines" DROP COLUMN "a"')).toHaveLength(1);
  expect(contractions("alter table lines rename column a to b")).toHaveLength(1);
  expect(contractions('ALTER TABLE "lines" ALTER COLUMN "a" SET DATA TYPE text')).toHaveLength(1);
  expect(contractions('ALTER TABLE "lines" ALTER COLUMN "a" SET NOT NULL')).toHaveLength(1);
  expect(contractions('ALTER TABLE "lines" ADD COLUMN "a" text NOT NULL')).toHaveLength(1);
  expect(contractions('ALTER TABLE "lines" ADD COLUMN "a" text NOT NULL DEFAULT \'\'')).toEqual([]);
  expect(contractions("-- drop table lines\ndrop index lines_idx")).toEqual([]);
});

test("migrations only add, or have a name that ends with _contract", () => {
  const names = readdirSync("prisma/migrations").filter((name) => name >= FIRST && /^\d/.test(name));
  expect(names.length).toBeGreaterThan(5);
  const breaking = names.flatMap((name) =>
    contractions(readFileSync(`prisma/migrations/${name}/migration.sql`, "utf8")).map(
      (what) => `${name} ${what}`,
    ),
  );
  expect(breaking.filter((each) => !/_contract /.test(each))).toEqual([]);
});
