import "@/lib/testing/use-test-database";

import { afterEach, expect, test, vi } from "vitest";
import { setClock } from "@/lib/platform/clock";
import { prisma, sql } from "@/lib/platform/db";
import { sweepRequests } from "@/lib/request-log/sweep-requests";
import { createTestAccount } from "@/lib/testing/create-test-account";
import { logTestRequests } from "@/lib/testing/log-test-requests";
import { stopAfterStatement } from "@/lib/testing/stop-after-statement";

const DAY_MS = 86_400_000;
const never = new AbortController().signal;

afterEach(async () => {
  vi.restoreAllMocks();
  setClock(null);
  await sql.query({ text: "truncate api_requests" });
});

test("logged requests go after 30 days, of every account and in batches, and not before", async () => {
  const accounts = [];
  for (let count = 0; count < 3; count++) accounts.push(await createTestAccount({ type: "sandbox" }));
  for (const account of accounts) await logTestRequests(account, 900);

  setClock({ offsetMs: 29 * DAY_MS, frozenAt: null });
  for (const account of accounts) await logTestRequests(account, 2);
  expect(await sweepRequests(never)).toBe(0);

  setClock({ offsetMs: 31 * DAY_MS, frozenAt: null });
  expect(await sweepRequests(never)).toBe(2700);
  const left = await prisma().apiRequest.groupBy({ by: ["accountId"], _count: true });
  expect(left.map(({ _count }) => _count)).toEqual([2, 2, 2]);
});

test("a stopped sweep ends after the current batch", async () => {
  await logTestRequests(await createTestAccount({ type: "sandbox" }), 1500);
  // Later than the previous tests' times, because ids never go back.
  setClock({ offsetMs: 91 * DAY_MS, frozenAt: null });

  await sweepRequests(stopAfterStatement("swept as"));
  expect(await prisma().apiRequest.count()).toBe(500);
});
