import "@/lib/testing/use-test-database";

import { afterEach, beforeEach, expect, test } from "vitest";
import { setLineUp } from "@/lib/lines/lines/set-line-up";
import { startActions } from "@/lib/messaging/actions/perform-actions";
import { startDispatch } from "@/lib/messaging/dispatch/dispatch-messages";
import { prisma, sql } from "@/lib/platform/database/db";
import type { Queue } from "@/lib/platform/database/queue";
import { setClock } from "@/lib/platform/time/clock";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import {
  acceptTestMessage,
  advanceClock,
  changeTestPhone,
  createDirectChat,
  createTestPhone,
} from "@/lib/testing/factories";
import { listPhoneActions } from "@/lib/testing/phone-actions";
import { createTestGroup, membersOf, untilDone, waitingActions } from "@/lib/testing/test-chats";
import { until } from "@/lib/testing/until";

let account: TestAccount;
let running: Queue[] = [];

beforeEach(async () => {
  account = await createTestAccount({ type: "sandbox" });
});

afterEach(async () => {
  await Promise.all(running.map((queue) => queue.stop()));
  running = [];
  setClock(null);
});

async function setUp(isUp: boolean): Promise<void> {
  const { id } = await prisma().line.findFirstOrThrow({ where: { phoneNumber: account.line } });
  await setLineUp(account.ref.id, id, isUp);
}

/** A group whose phones have all messaged the line, because a sandbox can't send to others. */
async function createKnownGroup() {
  const group = await createTestGroup(account, 3);
  for (const phone of group.phones) await createDirectChat(account, phone);
  return group;
}

async function leave(chatId: string): Promise<void> {
  const { status } = await callApi(`POST /v3/chats/${chatId}/leave`, { token: account.token });
  expect(status).toBe(202);
}

async function countersOf(chatId: string): Promise<{ attempts: number; waits: number }> {
  const [row] = await sql.runText<{ attempts: number; waits: number }>({
    text: "select attempts, waits from chat_actions where chat_id = $1",
    values: [chatId],
  });
  return row ?? { attempts: 0, waits: 0 };
}

test("a leave accepted while the line is down is done when it is up, however long that took", async () => {
  const { chatId, first } = await createKnownGroup();
  await setUp(false);
  await acceptTestMessage(account, chatId, "goodbye");
  await leave(chatId);
  running.push(startActions());

  advanceClock(3600);
  expect(await waitingActions(chatId)).toEqual(["leave"]);
  expect(await countersOf(chatId)).toEqual({ attempts: 0, waits: 0 });
  await setUp(true);
  await until(async () => (await countersOf(chatId)).waits > 2);
  running.push(startDispatch());
  await untilDone(chatId);

  expect(await membersOf(account, chatId)).toMatchObject({ [account.line]: "left" });
  expect(await listPhoneActions(account, first)).toEqual([{ do: "leave" }]);
});

test("an action that waited still has its tries at the line", async () => {
  const phone = await createTestPhone(account);
  const chatId = await createDirectChat(account, phone);
  await changeTestPhone(account, phone, { fault: "rate_limited" });
  await callApi(`POST /v3/chats/${chatId}/read`, { token: account.token });
  await sql.runText({
    text: "update chat_actions set attempts = 100, waits = 100 where chat_id = $1",
    values: [chatId],
  });
  running.push(startActions());
  await until(async () => (await countersOf(chatId)).attempts > 101);
  await changeTestPhone(account, phone, { fault: null });
  advanceClock(5);
  await untilDone(chatId);

  expect(await listPhoneActions(account, phone)).toEqual([{ do: "read" }]);
});

test("a leave whose messages never go out fails in the end, and the chat can be used again", async () => {
  const { chatId } = await createKnownGroup();
  await acceptTestMessage(account, chatId, "stuck");
  await leave(chatId);
  await sql.runText({ text: "update chat_actions set waits = 2000 where chat_id = $1", values: [chatId] });
  running.push(startActions());
  await untilDone(chatId);

  expect(await membersOf(account, chatId)).toMatchObject({ [account.line]: "active" });
  await leave(chatId);
});
