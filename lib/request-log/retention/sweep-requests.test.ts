import "@/lib/testing/use-test-database";

import { afterEach, expect, test, vi } from "vitest";
import { prisma, sql } from "@/lib/platform/database/db";
import { listPartitions } from "@/lib/platform/database/partitions";
import { timeOfId } from "@/lib/platform/ids";
import { setClock } from "@/lib/platform/time/clock";
import { REQUEST_LOG } from "@/lib/request-log/retention/request-partitions";
import { sweepRequests } from "@/lib/request-log/retention/sweep-requests";
import { createTestAccount } from "@/lib/testing/create-test-account";
import { stopAfterStatement } from "@/lib/testing/database/stop-after-statement";
import { logTestRequests } from "@/lib/testing/log-test-requests";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const never = new AbortController().signal;

afterEach(async () => {
  vi.restoreAllMocks();
  setClock(null);
  await sql.runText({ text: "truncate api_requests" });
});

/** The time at which the first partition ends. It depends on the day on which the test databases were made. */
async function endOfFirstPartition(): Promise<number> {
  const [first] = await listPartitions(sql, REQUEST_LOG);
  if (first === undefined || first.from !== null) throw new Error("the request log has no first partition");
  return timeOfId(first.to);
}

test("logged requests go after 30 days, of every account and in batches, and not before", async () => {
  const accounts = [];
  for (let count = 0; count < 3; count++) accounts.push(await createTestAccount({ type: "sandbox" }));
  const start = (await endOfFirstPartition()) - HOUR_MS;
  const daysLater = (days: number, ms = 0) =>
    setClock({ offsetMs: 0, frozenAt: new Date(start + days * DAY_MS + ms) });

  daysLater(0);
  for (const account of accounts) await logTestRequests(account, 900);
  daysLater(30);
  for (const account of accounts) await logTestRequests(account, 2);
  expect(await sweepRequests(never)).toBe(0);

  // While the first partition cannot be dropped yet, so that its rows are deleted.
  daysLater(30, HOUR_MS / 2);
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
