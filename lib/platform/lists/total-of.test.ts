import "@/lib/testing/use-test-database";

import { beforeEach, expect, test } from "vitest";
import { countText, MAX_COUNTED_ROWS, totalOf } from "@/lib/platform/lists/total-of";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { countStatements } from "@/lib/testing/database/count-statements";

let account: TestAccount;

beforeEach(async () => {
  account = await createTestAccount({ type: "sandbox" });
});

const rowsOf = (count: number) => countText({ text: "select from generate_series(1, $1)", values: [count] });
const FIRST = { items: ["a", "b"], nextCursor: "further" };
const WHOLE = { items: ["a", "b"], nextCursor: null };

const total = (page: typeof FIRST | typeof WHOLE, rows: number | null, cursor?: string) =>
  totalOf(account.context(), page, { cursor, count: rows === null ? null : rowsOf(rows) });

test("a list is counted up to a thousand rows", async () => {
  expect(await total(FIRST, 3)).toEqual({ count: 3, is_capped: false });
  expect(await total(FIRST, MAX_COUNTED_ROWS)).toEqual({ count: MAX_COUNTED_ROWS, is_capped: false });
  expect(await total(FIRST, MAX_COUNTED_ROWS + 1)).toEqual({ count: MAX_COUNTED_ROWS, is_capped: true });
});

test("counting stops at the first row that is too many", async () => {
  // The row after that one causes a division by zero.
  const text = `select from generate_series(1, $1) n where 1 / (${MAX_COUNTED_ROWS + 2} - n) is not null`;
  const count = countText({ text, values: [2 * MAX_COUNTED_ROWS] });
  expect(await totalOf(account.context(), FIRST, { cursor: undefined, count })).toMatchObject({
    is_capped: true,
  });
});

test("a list that fits on one page, and a further page, cost no statement", async () => {
  const cost = await countStatements(async () => {
    expect(await total(WHOLE, 9)).toEqual({ count: 2, is_capped: false });
    expect(await total(FIRST, 9, "cursor")).toBeNull();
  });
  expect(cost).toBe(0);
});

test("a list whose rows no index finds has a total only if it fits on one page", async () => {
  expect(await total(FIRST, null)).toBeNull();
  expect(await total(WHOLE, null)).toEqual({ count: 2, is_capped: false });
});

test("a count that takes too long is given up without failing the list", async () => {
  const count = countText({ text: "select from (select pg_sleep(60) offset 0) slow" });
  expect(await totalOf(account.context(), FIRST, { cursor: undefined, count })).toBeNull();
});
