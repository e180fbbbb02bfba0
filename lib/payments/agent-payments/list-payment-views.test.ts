import "@/lib/testing/use-test-database";

import { beforeAll, expect, test } from "vitest";
import { listPaymentViews } from "@/lib/payments/agent-payments/list-payment-views";
import { sql } from "@/lib/platform/database/db";
import { encodeCursor } from "@/lib/platform/lists/page";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { explainStatements } from "@/lib/testing/database/explain-statements";

const PAYER = "+12065550100";
const LIMIT = 10;

let account: TestAccount;

beforeAll(async () => {
  account = await createTestAccount({ type: "sandbox" });
  // The payer's payments are the oldest, so a scan of the account from newest to oldest reads all the others.
  await insertPayments(PAYER, 1, 30);
  await insertPayments("+12065550199", 31, 20_000);
  await sql.runText({ text: "analyze agent_payments" });
});

const idOf = (number: number) => `01900000-0000-7000-8000-${String(number).padStart(12, "0")}`;

/** Inserts one payment for each number, with that amount. Even numbers are expired, odd numbers canceled. */
async function insertPayments(handle: string, from: number, to: number): Promise<void> {
  await sql.runText({
    text: `insert into agent_payments (account_id, id, handle, amount_minor, currency, metadata, provider, status,
             moved_at, trace_id, created_at)
           select $1, ('01900000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, $2, n, 'usd', '{}', 'servicecard',
             (array['expired', 'canceled'])[1 + n % 2]::agent_payment_status, now(), 'trace', now()
           from generate_series($3::int, $4::int) n`,
    values: [account.ref.id, handle, from, to],
  });
}

async function list(query: { handle?: string; status?: ("expired" | "canceled")[]; cursor?: string } = {}) {
  const page = await listPaymentViews(account.context(), {
    query: { status: [], ...query, limit: LIMIT },
  });
  return { amounts: page.payments.map(({ amount_cents }) => amount_cents), next: page.next_cursor ?? "" };
}

async function rowsRead(query: Parameters<typeof list>[0]): Promise<number> {
  const scans = await explainStatements(() => list(query));
  const own = scans.filter(({ on }) => on.startsWith("agent_payments"));
  expect(own.length).toBeGreaterThan(0);
  return own.reduce((sum, { rows }) => sum + rows, 0);
}

/** The number of the handle's own payments. */
const OWN = 30;

const down = (from: number, step = 1) => Array.from({ length: LIMIT }, (_, index) => from - index * step);

test("a handle's payments are found among many others, page by page, and nothing else is read", async () => {
  const first = await list({ handle: PAYER });
  expect(first.amounts).toEqual(down(30));
  const next = { handle: PAYER, cursor: first.next };
  expect((await list(next)).amounts).toEqual(down(20));
  // The rows of the page, and the handle's own payments for the total.
  expect(await rowsRead({ handle: PAYER })).toBeLessThanOrEqual(LIMIT + 1 + OWN);
  expect(await rowsRead(next)).toBeLessThanOrEqual(LIMIT + 1);
});

test("the list filters a handle's payments by status", async () => {
  const query = { handle: PAYER, status: ["expired" as const] };
  expect((await list(query)).amounts).toEqual(down(30, 2));
  expect(await rowsRead(query)).toBeLessThanOrEqual(OWN + OWN);
});

test("a page far down the account's list reads as little as the first", async () => {
  const far = { cursor: encodeCursor([idOf(5001)]) };
  expect((await list(far)).amounts).toEqual(down(5000));
  expect(await rowsRead(far)).toBeLessThanOrEqual(LIMIT + 1);
});
