import "@/lib/testing/use-test-database";

import { beforeEach, expect, test } from "vitest";
import { Claimer } from "@/lib/messaging/dispatch/claim/claim-messages";
import { readQueues } from "@/lib/operations/instance/read-queues";
import { sql } from "@/lib/platform/database/db";
import { setClock } from "@/lib/platform/time/clock";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { createDirectChat, createTestPhone } from "@/lib/testing/factories";
import { copyChats } from "@/lib/testing/test-chats";

const HOUR_MS = 60 * 60 * 1000;

let account: TestAccount;
let pending: string[];

beforeEach(async () => {
  setClock(null);
  account = await createTestAccount({ type: "sandbox" });
  const chat = await createDirectChat(account, await createTestPhone(account));
  await sql.runText({ text: "update messages set dispatch_at = null", values: [] });
  pending = await copyChats(account, chat, 3);
});

async function messages(at: Date) {
  return (await readQueues(sql, at)).find(({ queue }) => queue === "messages");
}

test("messages that wait for their turn count, but are not old while their line sends", async () => {
  await sql.runText({
    text: "update lines set sends_per_second = 0.1 where account_id = $1",
    values: [account.ref.id],
  });
  const later = new Date(Date.now() + HOUR_MS);
  setClock({ offsetMs: 0, frozenAt: later });
  expect(await new Claimer(32).claim(10)).toHaveLength(1);
  expect(await messages(later)).toEqual({ queue: "messages", depth: pending.length, oldestSeconds: 0 });

  const stalled = await messages(new Date(later.getTime() + 2 * 60_000));
  expect(stalled?.oldestSeconds).toBeGreaterThan(HOUR_MS / 1000);
});

test("messages of a line without a throughput are as old as they are", async () => {
  const state = await messages(new Date(Date.now() + HOUR_MS));
  expect(state?.depth).toBe(pending.length);
  expect(state?.oldestSeconds).toBeGreaterThan(HOUR_MS / 1000 - 1);
});
