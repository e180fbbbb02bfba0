import "server-only";
import { insertLine } from "@/lib/lines/lines/create-line";
import type { AccountRef, Context } from "@/lib/platform/context";
import type { Sql } from "@/lib/platform/database/db";
import { plannedStatement } from "@/lib/platform/database/statement";
import { fail } from "@/lib/platform/errors/errors";
import { lineNumbers } from "@/lib/simulator/lines/fictional-numbers";

const PAGE = 500;

const LOCK_FICTIONAL_NUMBERS = plannedStatement(
  "lock-fictional-numbers",
  "select pg_advisory_xact_lock(hashtext('fictional line numbers'))",
);

/**
 * Assigns simulated iMessage lines with unused fictional numbers to an account. The same seed gives the same numbers
 * while they are unused. `by` is the actor; without it, the operator. Errors: state_conflict (all numbers are in use).
 */
export async function assignFictionalLines(
  tx: Sql,
  account: AccountRef,
  { count, seed, by }: { count: number; seed: string | null; by?: Context },
): Promise<string[]> {
  // Two transactions must not choose the same number.
  await tx.run(LOCK_FICTIONAL_NUMBERS);
  const numbers = await findUnused(tx, count, seed);
  for (const phoneNumber of numbers) {
    await insertLine(tx, account, { phoneNumber, lineType: "iMessage", transport: "simulator" }, by);
  }
  return numbers;
}

const FIND_UNUSED_NUMBERS = plannedStatement(
  "find-unused-numbers",
  `select t.number as "number!" from unnest(:page::text[]) with ordinality as t(number, ord)
  where not exists (select from lines l where l.phone_number = t.number and l.released_at is null)
  order by t.ord limit :limit`,
);

async function findUnused(tx: Sql, count: number, seed: string | null): Promise<string[]> {
  const unused: string[] = [];
  for (const page of pagesOf(lineNumbers(seed))) {
    const rows = await tx.run(FIND_UNUSED_NUMBERS, { page, limit: count - unused.length });
    unused.push(...rows.map((row) => row.number));
    if (unused.length === count) return unused;
  }
  return fail(
    "state_conflict",
    "all fictional numbers are lines: release lines, or wait until accounts are deleted",
  );
}

function* pagesOf(numbers: Iterable<string>): Generator<string[]> {
  let page: string[] = [];
  for (const number of numbers) {
    page.push(number);
    if (page.length < PAGE) continue;
    yield page;
    page = [];
  }
  yield page;
}
