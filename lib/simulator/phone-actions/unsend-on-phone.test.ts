import "@/lib/testing/use-test-database";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { sql } from "@/lib/platform/database/db";
import { startWorker, type Worker } from "@/lib/runtime/worker/start-worker";
import { listPhoneViews } from "@/lib/simulator/phones/list-phone-views";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import {
  acceptTestMessage,
  advanceClock,
  createDirectChat,
  createTestPhone,
  readMessage,
  untilStatus,
  writeAs,
} from "@/lib/testing/factories";
import { createTestGroup } from "@/lib/testing/test-chats";

const UNSEND_SECONDS = 120;

let account: TestAccount;
let worker: Worker;
let advanced = 0;

beforeAll(async () => {
  account = await createTestAccount({ type: "sandbox" });
  worker = await startWorker();
});

afterEach(() => {
  advanceClock(-advanced);
  advanced = 0;
});

afterAll(() => worker.stop());

function advance(seconds: number): void {
  advanced += seconds;
  advanceClock(seconds);
}

const call = (what: `${string} ${string}`, body?: object) => callApi(what, { token: account.token, body });
const unsend = (phone: string, messageId: string | null) =>
  call(`POST /simulator/phones/${phone}/unsends`, { message_id: messageId });

async function screenOf(phone: string) {
  const { screens } = await listPhoneViews(account.context(), { query: { open: [phone] } });
  return screens[0]?.chats[0]?.messages ?? [];
}

async function stateOf(chatId: string) {
  const [events] = await sql.runText<{ count: string }>({
    text: "select count(*) from events where account_id = $1 and chat_id = $2",
    values: [account.ref.id, chatId],
  });
  const [actions] = await sql.runText<{ count: string }>({
    text: "select count(*) from chat_actions where account_id = $1",
    values: [account.ref.id],
  });
  return { events: events?.count, actions: actions?.count };
}

test("an unsent message is gone from the phones of its group, and the API's message and events stay as they were", async () => {
  const { chatId, first, phones } = await createTestGroup(account, 3);
  const { messageId } = await writeAs(account, first, { to: chatId, text: "not for you" });
  const before = { message: await readMessage(account, messageId), state: await stateOf(chatId) };
  expect((await screenOf(first)).at(-1)).toMatchObject({ is_unsent: false, may_unsend: true });

  const { status, body } = await unsend(first, messageId);
  expect([status, body]).toEqual([201, { message_id: messageId, unsent_at: expect.any(String) }]);

  for (const phone of phones) {
    const shown = await screenOf(phone);
    expect(shown.at(-1)).toMatchObject({
      is_unsent: true,
      may_unsend: false,
      parts: [],
      message_id: messageId,
    });
    expect(shown.at(-2)).toMatchObject({ is_unsent: false, parts: [{ value: "hello all" }] });
    const { body: inbox } = await call(`GET /simulator/phones/${phone}/messages`);
    expect(inbox.messages[0]).toMatchObject({ message_id: messageId, parts: [], unsent_at: body.unsent_at });
    expect(inbox.messages[1]).toMatchObject({ unsent_at: null });
  }
  const { body: listed } = await call("GET /simulator/phones");
  const own = listed.phones.find(({ handle }: { handle: string }) => handle === first);
  expect(own.messages[0]).toMatchObject({ parts: [] });
  expect(await readMessage(account, messageId)).toEqual(before.message);
  expect(await stateOf(chatId)).toEqual(before.state);
});

test("a message can be unsent for two minutes and not a moment longer", async () => {
  const phone = await createTestPhone(account);
  const { messageId: early } = await writeAs(account, phone, { to: account.line, text: "early" });
  const { messageId: late } = await writeAs(account, phone, { to: account.line, text: "late" });
  advance(UNSEND_SECONDS - 5);
  expect((await unsend(phone, early)).status).toBe(201);
  advance(6);
  expect((await screenOf(phone)).at(-1)).toMatchObject({ may_unsend: false });
  const refused = await unsend(phone, late);
  expect(refused).toMatchObject({
    status: 409,
    body: { error: { message: expect.stringContaining("2 minutes") } },
  });
  expect((await screenOf(phone)).map(({ is_unsent }) => is_unsent)).toEqual([true, false]);
});

test("a message is unsent once, also by two requests at once", async () => {
  const phone = await createTestPhone(account);
  const { messageId } = await writeAs(account, phone, { to: account.line, text: "once" });
  const answers = await Promise.all(Array.from({ length: 5 }, () => unsend(phone, messageId)));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409]);
  const again = await unsend(phone, messageId);
  expect(again.body.error.message).toContain("unsent");
});

test.each([
  ["android_rcs", "RCS"],
  ["sms_only", "SMS"],
] as const)("a message of an %s phone can't be unsent", async (platform, service) => {
  const phone = await createTestPhone(account, { platform });
  const { messageId } = await writeAs(account, phone, { to: account.line, text: "forever" });
  const { status, body } = await unsend(phone, messageId);
  expect(status).toBe(409);
  expect(body.error.message).toContain(`${service} messages can't be unsent`);
  expect((await screenOf(phone))[0]).toMatchObject({ is_unsent: false, may_unsend: false });
});

test("a phone unsends its own messages only", async () => {
  const { chatId, first, phones } = await createTestGroup(account, 2);
  const { messageId } = await writeAs(account, first, { to: chatId, text: "mine" });
  const other = await unsend(phones[1] ?? "", messageId);
  expect(other).toMatchObject({ status: 400, body: { error: { code: 1005 } } });

  const phone = await createTestPhone(account);
  const id = await acceptTestMessage(account, await createDirectChat(account, phone), "from the line");
  await untilStatus(account, id, "delivered");
  expect((await unsend(phone, id)).status).toBe(400);
  expect((await screenOf(phone)).at(-1)).toMatchObject({ is_unsent: false, may_unsend: false });

  const stranger = await createTestPhone(account);
  expect((await unsend(stranger, messageId)).status).toBe(400);
  const rival = await createTestAccount({ type: "sandbox" });
  const theirs = await writeAs(rival, await createTestPhone(rival), { to: rival.line, text: "theirs" });
  expect((await unsend(phone, theirs.messageId)).status).toBe(403);
  expect((await unsend(phone, "019ca9c2-7310-7e75-8b44-6fa051829304")).status).toBe(404);
});

test("phones no longer edit, react to or answer an unsent message", async () => {
  const phone = await createTestPhone(account);
  const { chatId, messageId } = await writeAs(account, phone, { to: account.line, text: "gone" });
  await unsend(phone, messageId);
  const path = `/simulator/phones/${phone}` as const;
  const actions: [`${string} ${string}`, object][] = [
    [`POST ${path}/edits`, { message_id: messageId, text: "back" }],
    [`POST ${path}/reactions`, { message_id: messageId, type: "love" }],
    [`POST ${path}/messages`, { to: chatId, text: "answer", reply_to: { message_id: messageId } }],
  ];
  for (const [what, body] of actions) {
    const { status, body: answer } = await call(what, body);
    expect([what, status, answer.error?.message]).toEqual([what, 409, expect.stringContaining("unsent")]);
  }
});

test("a phone in airplane mode can't unsend", async () => {
  const phone = await createTestPhone(account);
  const { messageId } = await writeAs(account, phone, { to: account.line, text: "offline" });
  await call("POST /simulator/phones", { handle: phone, connection: "airplane_mode" });
  expect((await unsend(phone, messageId)).status).toBe(409);
});
