import "@/lib/testing/use-test-database";

import { afterEach, beforeAll, expect, test } from "vitest";
import { startActions } from "@/lib/messaging/actions/perform-actions";
import { startDispatch } from "@/lib/messaging/dispatch/dispatch-messages";
import { listChatNotes } from "@/lib/messaging/team/list-chat-notes";
import { sql } from "@/lib/platform/database/db";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import {
  acceptTestMessage,
  advanceClock,
  changeTestPhone,
  createDirectChat,
  createTestPhone,
  eventsOfMessage,
  readMessage,
  untilStatus,
  writeAs,
} from "@/lib/testing/factories";
import { listPhoneActions } from "@/lib/testing/phone-actions";
import { untilDone } from "@/lib/testing/test-chats";
import { until } from "@/lib/testing/until";

let account: TestAccount;
let running: { stop(): Promise<void> }[] = [];

beforeAll(async () => {
  account = await createTestAccount({ type: "sandbox" });
});

afterEach(async () => {
  await Promise.all(running.map((part) => part.stop()));
  running = [];
});

async function edit(messageId: string, text: string, more = {}) {
  const body = { text, ...more };
  return callApi(`PATCH /v3/messages/${messageId}`, { token: account.token, body });
}

async function errorOf(answer: ReturnType<typeof edit>) {
  const { status, body } = await answer;
  return [status, body.error?.code];
}

async function sendOne(text = "befor") {
  const phone = await createTestPhone(account);
  const chatId = await createDirectChat(account, phone);
  return { phone, chatId, id: await acceptTestMessage(account, chatId, text) };
}

test("an edit shows at once, then on the phone, and tells message.edited once", async () => {
  const { phone, id } = await sendOne();
  const { status, body } = await edit(id, "before");
  expect([status, body.parts[0].value, body.parts[0].text_decorations]).toEqual([200, "before", null]);

  running.push(startActions(), startDispatch());
  await untilStatus(account, id, "sent");
  await until(async () => (await listPhoneActions(account, phone)).length === 1);

  expect(await listPhoneActions(account, phone)).toEqual([{ do: "edit", ref: id, part: 0, text: "before" }]);
  const emitted = (await eventsOfMessage(account, id)).filter(({ type }) => type === "message.edited");
  expect(emitted.map(({ data }) => data)).toMatchObject([{ part: { index: 0, text: "before" } }]);
});

test("an edit goes the way its message went, though the chat has moved to SMS since", async () => {
  const { phone, id } = await sendOne();
  running.push(startActions(), startDispatch());
  await untilStatus(account, id, "sent");
  await changeTestPhone(account, phone, { platform: "sms_only" });
  await writeAs(account, phone, { to: account.line, text: "my new phone" });

  expect((await edit(id, "before")).status).toBe(200);
  await until(async () => (await listPhoneActions(account, phone)).length === 1);
  expect(await listPhoneActions(account, phone)).toEqual([{ do: "edit", ref: id, part: 0, text: "before" }]);
});

test("refused edits are recorded, and the text is as on the phone, with an event", async () => {
  const { phone, chatId, id } = await sendOne("as sent");
  running.push(startDispatch());
  await untilStatus(account, id, "sent");
  await changeTestPhone(account, phone, { fault: "rejected" });
  await edit(id, "once");
  await edit(id, "twice");
  running.push(startActions());
  await untilDone(chatId);

  expect((await readMessage(account, id)).parts).toMatchObject([{ type: "text", value: "as sent" }]);
  const emitted = (await eventsOfMessage(account, id)).filter(({ type }) => type === "message.edited");
  expect(emitted.map(({ data }) => data)).toMatchObject(
    ["once", "twice", "as sent"].map((text) => ({ part: { index: 0, text } })),
  );
  const { notes } = await listChatNotes(account.context(), { params: { chatId } });
  expect(notes.map(({ text }) => text)).toEqual(
    Array(2).fill("A message could not be edited on the recipient's phone (4007)"),
  );
  const kept = await sql.runText({ text: "select 1 from message_edits where message_id = $1", values: [id] });
  expect(kept).toEqual([]);
});

test("an edit that is refused after one that was made leaves the text of that one", async () => {
  const { phone, chatId, id } = await sendOne("as sent");
  running.push(startDispatch(), startActions());
  await untilStatus(account, id, "sent");
  await edit(id, "made");
  await untilDone(chatId);
  await changeTestPhone(account, phone, { fault: "rejected" });
  await edit(id, "refused");
  await untilDone(chatId);
  expect((await readMessage(account, id)).parts).toMatchObject([{ value: "made" }]);
});

test("five of many concurrent edits are accepted, and the history has each replaced text", async () => {
  const { id } = await sendOne("zero");
  const answers = await Promise.all(Array.from({ length: 12 }, (_, index) => edit(id, `edit ${index}`)));

  const codes = answers.map(({ status, body }) => [status, body.error?.code]);
  expect(codes.filter(([status]) => status === 200)).toHaveLength(5);
  expect(codes.filter(([status]) => status !== 200)).toEqual(Array(7).fill([409, 2015]));
  const kept = await sql.runText<{ text: string }>({
    text: "select text from message_edits where message_id = $1 order by edited_at, id",
    values: [id],
  });
  expect(kept).toHaveLength(5);
  expect(kept.map(({ text }) => text)).toContain("zero");
});

test("after 15 minutes, for others' messages, over SMS and for parts that are no text it says why", async () => {
  const { id, chatId, phone } = await sendOne();
  const theirs = await writeAs(account, phone, { to: chatId, text: "mine" });
  expect(await errorOf(edit(theirs.messageId, "not yours"))).toEqual([409, 2015]);
  expect(await errorOf(edit(id, "x", { part_index: 1 }))).toEqual([400, 1005]);
  expect(await errorOf(edit(id, ""))).toEqual([400, 1005]);
  const missing = callApi(`PATCH /v3/messages/${id}`, { token: account.token, body: {} });
  expect(await errorOf(missing)).toEqual([400, 1001]);

  const sms = await createTestPhone(account, { platform: "sms_only" });
  const text = await acceptTestMessage(account, await createDirectChat(account, sms));
  expect(await errorOf(edit(text, "x"))).toEqual([409, 2017]);

  advanceClock(15 * 60 + 1);
  expect(await errorOf(edit(id, "late"))).toEqual([409, 2015]);
});

test("a contact's edit changes what was received, once, and only the writer's own", async () => {
  const phone = await createTestPhone(account);
  const { messageId } = await writeAs(account, phone, { to: account.line, text: "helo" });
  const body = { message_id: messageId, text: "hello" };
  for (let times = 0; times < 2; times++) {
    const { status } = await callApi(`POST /simulator/phones/${phone}/edits`, { token: account.token, body });
    expect(status).toBe(201);
  }

  const shown = await callApi(`GET /v3/messages/${messageId}`, { token: account.token });
  expect(shown.body.parts[0].value).toBe("hello");
  const types = (await eventsOfMessage(account, messageId)).map(({ type }) => type);
  expect(types).toEqual(["message.received", "message.edited"]);
});
