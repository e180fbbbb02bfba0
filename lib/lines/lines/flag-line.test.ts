import "@/lib/testing/use-test-database";

import { beforeEach, expect, test } from "vitest";
import { release } from "@/lib/lines/assignment/release-line";
import { flagLine } from "@/lib/lines/lines/flag-line";
import { receiveLineFlag } from "@/lib/lines/lines/receive-line-flag";
import { prisma, transaction } from "@/lib/platform/database/db";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { untilLocked } from "@/lib/testing/database/until-locked";
import { lineOf } from "@/lib/testing/line-of";

let account: TestAccount;

beforeEach(async () => {
  account = await createTestAccount({ type: "sandbox" });
});

/** Releases the line while `change` waits for it. Returns the outcome of the change. */
async function releaseDuring(lineId: string, change: () => Promise<unknown>): Promise<unknown> {
  const { changing } = await transaction(async (tx) => {
    await release(tx, account.context(), lineId);
    const changing = change().catch((error: unknown) => error);
    await untilLocked();
    return { changing };
  });
  return changing;
}

function statusEvents() {
  return prisma().event.findMany({
    where: { accountId: account.ref.id, type: "phone_number.status_updated" },
  });
}

test("a line that is released while it is flagged is not found, and no change is reported after its release", async () => {
  const { id } = await lineOf(account);
  const input = { params: { lineId: id }, query: undefined, body: { status: "FLAGGED" as const } };

  const outcome = await releaseDuring(id, () => flagLine(account.context(), input));

  expect(outcome).toMatchObject({ errorName: "line_not_found" });
  expect(await statusEvents()).toEqual([]);
});

test("a flag from the vendor of a line that has just been released is dropped", async () => {
  const line = await lineOf(account);
  const flagged = { type: "line_flag" as const, ref: null, isFlagged: true, at: new Date() };

  expect(await releaseDuring(line.id, () => receiveLineFlag(line, flagged))).toBeUndefined();
  expect(await statusEvents()).toEqual([]);
});
