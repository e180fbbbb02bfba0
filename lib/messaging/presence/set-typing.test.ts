import "@/lib/testing/use-test-database";

import { afterEach, beforeAll, expect, test } from "vitest";
import { startActions } from "@/lib/messaging/actions/perform-actions";
import { sql } from "@/lib/platform/database/db";
import type { Queue } from "@/lib/platform/database/queue";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { advanceClock, changeTestPhone, createDirectChat, createTestPhone } from "@/lib/testing/factories";
import { listPhoneActions } from "@/lib/testing/phone-actions";
import { until } from "@/lib/testing/until";

let account: TestAccount;
let worker: Queue | null = null;

beforeAll(async () => {
  account = await createTestAccount({ type: "sandbox" });
});

afterEach(async () => {
  await worker?.stop();
  worker = null;
});

function type(verb: "POST" | "DELETE", chatId: string) {
  return callApi(`${verb} /v3/chats/${chatId}/typing`, { token: account.token });
}

function waiting(chatId: string) {
  return sql.runText({ text: "select 1 from chat_actions where chat_id = $1", values: [chatId] });
}

const untilDone = (chatId: string) => until(async () => (await waiting(chatId)).length === 0);

test("typing shows on the phone, start before stop", async () => {
  const phone = await createTestPhone(account);
  const chatId = await createDirectChat(account, phone);
  expect((await type("POST", chatId)).status).toBe(204);
  expect((await type("DELETE", chatId)).status).toBe(204);

  worker = startActions();
  await untilDone(chatId);

  expect(await listPhoneActions(account, phone)).toEqual([
    { do: "typing", isOn: true },
    { do: "typing", isOn: false },
  ]);
});

test("an indicator that could not be shown in time is dropped", async () => {
  const phone = await createTestPhone(account);
  const chatId = await createDirectChat(account, phone);
  await type("POST", chatId);
  advanceClock(120);

  worker = startActions();
  await untilDone(chatId);

  expect(await listPhoneActions(account, phone)).toEqual([]);
});

test("a chat idle for five minutes answers 204, and nothing is queued", async () => {
  const chatId = await createDirectChat(account, await createTestPhone(account));
  advanceClock(301);
  expect((await type("POST", chatId)).status).toBe(204);
  expect(await waiting(chatId)).toEqual([]);
});

test("an action the phone's network refuses ends, those behind it come", async () => {
  const phone = await createTestPhone(account);
  const chatId = await createDirectChat(account, phone);
  await changeTestPhone(account, phone, { fault: "rejected" });
  await type("POST", chatId);

  worker = startActions();
  await untilDone(chatId);
  await changeTestPhone(account, phone, { fault: null });
  await type("DELETE", chatId);
  await untilDone(chatId);

  expect(await listPhoneActions(account, phone)).toEqual([{ do: "typing", isOn: false }]);
});

test("groups have no typing indicator: 409/2016, without a retry", async () => {
  const [one, two] = [await createTestPhone(account), await createTestPhone(account)];
  const group = await callApi(`POST /simulator/phones/${one}/messages`, {
    token: account.token,
    body: { to: account.line, also_to: [two], text: "hello all" },
  });
  const { status, body, headers } = await type("POST", group.body.chat_id);
  expect([status, body.error.code, headers.get("x-should-retry")]).toEqual([409, 2016, "false"]);
});
