import "@/lib/testing/use-test-database";

import fc from "fast-check";
import { expect, test } from "vitest";
import { totalAttachments } from "@/lib/attachments/files/total-attachments";
import { sql } from "@/lib/platform/database/db";
import { newId } from "@/lib/platform/ids";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";

type Tier = "persistent" | "ephemeral";

const Files = fc.array(
  fc.record({
    tier: fc.constantFrom<Tier>("persistent", "ephemeral"),
    size: fc.nat(5_000_000),
    status: fc.constantFrom("pending", "complete", "failed"),
  }),
  { maxLength: 6 },
);

/** A change of files, those whose place divides by `nth`. */
const Change = fc.oneof(
  fc.record({ what: fc.constant("insert" as const), files: Files }),
  fc.record({
    what: fc.constant("status" as const),
    nth: fc.integer({ min: 1, max: 4 }),
    value: fc.constantFrom("pending", "complete", "failed"),
  }),
  fc.record({
    what: fc.constant("tier" as const),
    nth: fc.integer({ min: 1, max: 4 }),
    value: fc.constantFrom<Tier>("persistent", "ephemeral"),
  }),
  fc.record({
    what: fc.constant("size" as const),
    nth: fc.integer({ min: 1, max: 4 }),
    value: fc.nat(9_000_000),
  }),
  fc.record({ what: fc.constant("delete" as const), nth: fc.integer({ min: 1, max: 4 }) }),
);
type Change = typeof Change extends fc.Arbitrary<infer Value> ? Value : never;

async function insert(
  { ref }: TestAccount,
  files: { tier: Tier; size: number; status: string }[],
): Promise<void> {
  await sql.runText({
    text: `insert into attachments (account_id, id, filename, content_type, size_bytes, status, tier, created_at)
           select $1, f.id, 'a.txt', 'text/plain', f.size, f.status::attachment_status, f.tier::attachment_tier, now()
           from unnest($2::uuid[], $3::bigint[], $4::text[], $5::text[]) as f(id, size, status, tier)`,
    values: [
      ref.id,
      files.map(() => newId(Date.now())),
      files.map(({ size }) => size),
      files.map(({ status }) => status),
      files.map(({ tier }) => tier),
    ],
  });
}

const COLUMNS = {
  status: "status = $3::text::attachment_status",
  tier: "tier = $3::text::attachment_tier",
  size: "size_bytes = $3::bigint",
};

async function apply(account: TestAccount, change: Change): Promise<void> {
  if (change.what === "insert") return insert(account, change.files);
  const chosen = `account_id = $1 and id in (
    select id from (select id, row_number() over (order by id) as place from attachments where account_id = $1) numbered
    where place % $2::int = 0)`;
  if (change.what === "delete") {
    await sql.runText({
      text: `delete from attachments where ${chosen}`,
      values: [account.ref.id, change.nth],
    });
  } else {
    await sql.runText({
      text: `update attachments set ${COLUMNS[change.what]} where ${chosen}`,
      values: [account.ref.id, change.nth, change.value],
    });
  }
}

/** The totals as a count over all files of the account. */
async function countFiles({ ref }: TestAccount) {
  const rows = await sql.runText<{ tier: Tier; count: number; size_bytes: string }>({
    text: `select tier::text as tier, count(*)::int as count, sum(size_bytes)::text as size_bytes from attachments
           where account_id = $1 and status = 'complete' group by attachments.tier order by attachments.tier`,
    values: [ref.id],
  });
  return rows.map((row) => ({ ...row, size_bytes: Number(row.size_bytes) }));
}

const totalsOf = async (account: TestAccount) => (await totalAttachments(account.context())).totals;

test("property: after any changes, the totals are those of a count over all files", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(Change, { maxLength: 10 }), async (changes) => {
      const account = await createTestAccount({ type: "sandbox" });
      for (const change of changes) await apply(account, change);
      expect(await totalsOf(account)).toEqual(await countFiles(account));
    }),
    { numRuns: 30 },
  );
});

test("changes at once are all counted, each account for itself", async () => {
  const [account, other] = [
    await createTestAccount({ type: "sandbox" }),
    await createTestAccount({ type: "sandbox" }),
  ];
  const file = { tier: "persistent" as const, size: 1000, status: "complete" };
  await Promise.all(
    Array.from({ length: 40 }, (_, index) => insert(index % 4 === 0 ? other : account, [file, file])),
  );
  expect(await totalsOf(account)).toEqual([{ tier: "persistent", count: 60, size_bytes: 60_000 }]);

  await Promise.all([
    apply(account, { what: "delete", nth: 3 }),
    apply(account, { what: "tier", nth: 1, value: "ephemeral" }),
    insert(account, [file]),
    apply(other, { what: "delete", nth: 1 }),
  ]);

  expect(await totalsOf(account)).toEqual(await countFiles(account));
  expect(await totalsOf(other)).toEqual([]);
});

test("files that a rolled back transaction stored are not counted, and a deleted account leaves no totals", async () => {
  const account = await createTestAccount({ type: "sandbox" });
  await insert(account, [{ tier: "persistent", size: 10, status: "complete" }]);
  await expect(insert(account, [{ tier: "persistent", size: -1, status: "complete" }])).rejects.toThrow();
  expect(await totalsOf(account)).toEqual([{ tier: "persistent", count: 1, size_bytes: 10 }]);

  await sql.runText({ text: "delete from accounts where id = $1", values: [account.ref.id] });

  const rows = await sql.runText({
    text: "select from attachment_totals where account_id = $1",
    values: [account.ref.id],
  });
  expect(rows).toEqual([]);
});
