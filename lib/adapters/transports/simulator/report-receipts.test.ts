import "@/lib/testing/use-test-database";
import { afterEach, beforeEach, expect, test } from "vitest";
import { startReporting } from "@/lib/adapters/transports/simulator/report-receipts";
import type { Running } from "@/lib/adapters/transports/transport";
import { sql } from "@/lib/platform/database/db";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { createTestPhone } from "@/lib/testing/factories";
import { until } from "@/lib/testing/until";

const REF = "reported";

let account: TestAccount;
let handle: string;
let reporting: Running | undefined;

beforeEach(async () => {
  account = await createTestAccount({ type: "sandbox" });
  handle = await createTestPhone(account);
});

afterEach(async () => {
  await reporting?.stop();
});

/** Puts a message on its way to the phone. Its receipt is due. */
async function sendToPhone(pendingReceipt: "delivered" | null): Promise<void> {
  await sql.runText({
    text: `insert into simulator_messages (account_id, line_id, handle, ref, sender, service, parts, created_at, due_at, pending_receipt)
           select account_id, id, $2, $3, phone_number, 'iMessage', '[{"type":"text","value":"hello"}]', now(), now(), $4
           from lines where account_id = $1`,
    values: [account.ref.id, handle, REF, pendingReceipt],
  });
}

const stored = async () =>
  (
    await sql.runText<{ due_at: Date | null; pending_receipt: string | null }>({
      text: "select due_at, pending_receipt from simulator_messages where account_id = $1 and ref = $2",
      values: [account.ref.id, REF],
    })
  )[0];

test("a receipt that another process settled is not postponed by the one whose report failed", async () => {
  let failed = 0;
  reporting = startReporting({
    async receive() {
      // Another process claimed the message after this one's lease, reported it and stored that.
      await sql.runText({
        text: "update simulator_messages set due_at = null, pending_receipt = null where account_id = $1 and ref = $2",
        values: [account.ref.id, REF],
      });
      failed++;
      throw new Error("the response was lost");
    },
  });
  await sendToPhone("delivered");
  await until(() => failed > 0);
  await reporting.stop();

  expect(await stored()).toEqual({ due_at: null, pending_receipt: null });
});

test("a message that is due without a pending receipt does not stay due", async () => {
  reporting = startReporting({ receive: async () => undefined });
  await sendToPhone(null);

  await until(async () => (await stored())?.due_at === null);
});

test("a failed report is repeated until it succeeds", async () => {
  const reported: string[] = [];
  reporting = startReporting({
    async receive(_line, events) {
      reported.push(...events.map(({ type }) => type));
      if (reported.length < 3) throw new Error("the database is away");
    },
  });
  await sendToPhone("delivered");

  await until(async () => (await stored())?.due_at === null);
  expect(reported).toEqual(["delivered", "delivered", "delivered"]);
});
