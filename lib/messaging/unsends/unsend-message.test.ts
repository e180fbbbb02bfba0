import "@/lib/testing/use-test-database";

import { afterEach, beforeAll, expect, test } from "vitest";
import { startActions } from "@/lib/messaging/actions/perform-actions";
import { startDispatch } from "@/lib/messaging/dispatch/dispatch-messages";
import { listChatNotes } from "@/lib/messaging/team/list-chat-notes";
import { prisma, sql } from "@/lib/platform/database/db";
import { startWorker } from "@/lib/runtime/worker/start-worker";
import { listPhoneViews } from "@/lib/simulator/phones/list-phone-views";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import {
  acceptTestMessage,
  advanceClock,
  changeTestPhone,
  createDirectChat,
  createTestPhone,
  eventsOfMessage,
  untilStatus,
  writeAs,
} from "@/lib/testing/factories";
import { createTestGroup, untilDone, waitingActions } from "@/lib/testing/test-chats";
import { until } from "@/lib/testing/until";

const LIMIT_SECONDS = 120;

let account: TestAccount;
let running: { stop(): Promise<void> }[] = [];
let advanced = 0;

beforeAll(async () => {
  account = await createTestAccount({ type: "sandbox" });
});

afterEach(async () => {
  advanceClock(-advanced);
  advanced = 0;
  await Promise.all(running.map((part) => part.stop()));
  running = [];
});

function advance(seconds: number): void {
  advanced += seconds;
  advanceClock(seconds);
}

const call = (what: `${string} ${string}`, body?: object) => callApi(what, { token: account.token, body });
const unsend = (id: string) => call(`POST /v3/messages/${id}/unsend`);

async function codeOf(answer: ReturnType<typeof call>) {
  const { status, body } = await answer;
  return [status, body.error?.code];
}

async function sendOne(text = "to the wrong person") {
  const phone = await createTestPhone(account);
  const chatId = await createDirectChat(account, phone);
  return { phone, chatId, id: await acceptTestMessage(account, chatId, text) };
}

async function screenOf(phone: string) {
  const { screens } = await listPhoneViews(account.context(), { query: { open: [phone] } });
  return screens[0]?.chats[0]?.messages ?? [];
}

/** Whether each phone that has the message shows it as unsent. */
async function unsentOnPhones(id: string): Promise<boolean[]> {
  const copies = await prisma().simulatorMessage.findMany({ where: { accountId: account.ref.id, ref: id } });
  return copies.map(({ unsentAt: at }) => at !== null);
}

async function typesOf(id: string): Promise<string[]> {
  return (await eventsOfMessage(account, id)).map(({ type }) => type);
}

async function auditsOf(id: string): Promise<number> {
  const [row] = await sql.runText<{ count: number }>({
    text: `select count(*)::int as count from audit_entries where action = 'message.unsent' and object_id = $1`,
    values: [id],
  });
  return row?.count ?? 0;
}

async function unsentAt(id: string): Promise<string | undefined> {
  return (await call(`GET /v3/messages/${id}`)).body.unsent_at;
}

test("an unsent message is gone from the phone, marked in the API and reported once", async () => {
  running.push(await startWorker());
  const { phone, chatId, id } = await sendOne();
  await untilStatus(account, id, "delivered");
  const before = await call(`GET /v3/messages/${id}`);
  expect(before.body).not.toHaveProperty("unsent_at");

  const { status, body } = await unsend(id);
  expect([status, body]).toEqual([
    202,
    { status: "accepted", message: "Unsend queued", trace_id: expect.stringMatching(/^[0-9a-f]{32}$/) },
  ]);
  await untilDone(chatId);

  const at = await unsentAt(id);
  const { updated_at: _, ...shown } = (await call(`GET /v3/messages/${id}`)).body;
  expect(shown).toMatchObject({ parts: before.body.parts, unsent_at: expect.stringMatching(/Z$/) });
  expect((await screenOf(phone)).at(-1)).toMatchObject({ message_id: id, is_unsent: true, parts: [] });
  const events = (await eventsOfMessage(account, id)).filter(({ type }) => type === "message.unsent");
  expect(events.map(({ data }) => data)).toMatchObject([
    { message: { id, is_from_me: true }, chat: { id: chatId }, unsent_at: at },
  ]);

  // A repeat after any time is accepted and does nothing.
  advance(LIMIT_SECONDS * 10);
  expect((await unsend(id)).status).toBe(202);
  expect(await waitingActions(chatId)).toEqual([]);
  expect(await unsentAt(id)).toBe(at);
  expect(await auditsOf(id)).toBe(1);
});

test("ten requests at once unsend a message once", async () => {
  const { chatId, id } = await sendOne();
  running.push(startDispatch());
  await untilStatus(account, id, "sent");
  const answers = await Promise.all(Array.from({ length: 10 }, () => unsend(id)));
  expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(202));
  expect(await waitingActions(chatId)).toEqual(["unsend"]);

  running.push(startActions());
  await untilDone(chatId);
  expect((await typesOf(id)).filter((type) => type === "message.unsent")).toHaveLength(1);
  expect(await auditsOf(id)).toBe(1);
});

test("a message that is unsent while it is being sent is sent first, and then taken back", async () => {
  const { chatId, id } = await sendOne();
  expect((await unsend(id)).status).toBe(202);
  running.push(startActions());
  await until(async () => {
    const [action] = await prisma().chatAction.findMany({ where: { chatId } });
    return action !== undefined && action.waits > 0;
  });
  expect(await unsentAt(id)).toBeUndefined();

  running.push(startDispatch());
  await untilDone(chatId);
  expect(await unsentAt(id)).toBeDefined();
  const types = await typesOf(id);
  expect(types.indexOf("message.sent")).toBeGreaterThanOrEqual(0);
  expect(types.indexOf("message.sent")).toBeLessThan(types.indexOf("message.unsent"));
  expect(await unsentOnPhones(id)).toEqual([true]);
});

test("a send and its unsend at the same moment end with a message that was sent and taken back", async () => {
  running.push(startDispatch(), startActions());
  const sends = await Promise.all(
    Array.from({ length: 8 }, async () => {
      const sent = await sendOne();
      expect((await unsend(sent.id)).status).toBe(202);
      return sent;
    }),
  );
  for (const { chatId, id } of sends) {
    await untilDone(chatId);
    expect(await unsentAt(id)).toBeDefined();
    expect(await unsentOnPhones(id)).toEqual([true]);
  }
});

test("a message of a group is gone from every phone", async () => {
  running.push(startDispatch(), startActions());
  const { chatId } = await createTestGroup(account, 3);
  const id = await acceptTestMessage(account, chatId, "not for this group");
  await untilStatus(account, id, "sent");
  expect((await unsend(id)).status).toBe(202);
  await untilDone(chatId);
  expect(await unsentOnPhones(id)).toEqual([true, true, true]);
});

test("two minutes after the send a message can still be unsent, and not a moment later", async () => {
  running.push(startDispatch(), startActions());
  const [early, late] = [await sendOne(), await sendOne()];
  await untilStatus(account, early.id, "sent");
  await untilStatus(account, late.id, "sent");
  advance(LIMIT_SECONDS - 60);
  expect((await unsend(early.id)).status).toBe(202);
  await untilDone(early.chatId);
  expect(await unsentAt(early.id)).toBeDefined();
  advance(61);
  const refused = await unsend(late.id);
  expect([refused.status, refused.body.error.code]).toEqual([409, 2015]);
  expect(refused.body.error.message).toContain("2 minutes");
  expect(refused.headers.get("x-should-retry")).toBe("false");
});

test("a request that the queue reaches too late is refused on the timeline, and changes nothing", async () => {
  const { chatId, id } = await sendOne();
  running.push(startDispatch());
  await untilStatus(account, id, "sent");
  expect((await unsend(id)).status).toBe(202);
  advance(LIMIT_SECONDS + 1);
  running.push(startActions());
  await untilDone(chatId);

  expect(await unsentAt(id)).toBeUndefined();
  expect(await typesOf(id)).not.toContain("message.unsent");
  expect(await unsentOnPhones(id)).toEqual([false]);
  const { notes } = await listChatNotes(account.context(), { params: { chatId } });
  expect(notes.map(({ text }) => text)).toEqual(["A message could not be unsent (2015)"]);
});

test("after an attempt without an answer the vendor is asked again, however late", async () => {
  const { chatId, id } = await sendOne();
  running.push(startDispatch());
  await untilStatus(account, id, "sent");
  await unsend(id);
  await sql.runText({ text: "update chat_actions set attempts = 1 where chat_id = $1", values: [chatId] });
  advance(LIMIT_SECONDS + 1);
  running.push(startActions());
  await untilDone(chatId);
  expect(await unsentAt(id)).toBeDefined();
});

test("what a phone refuses is on the timeline, and can be tried again", async () => {
  const { chatId, id, phone } = await sendOne();
  running.push(startDispatch(), startActions());
  await untilStatus(account, id, "sent");
  await changeTestPhone(account, phone, { fault: "rejected" });
  await unsend(id);
  await untilDone(chatId);
  expect(await unsentAt(id)).toBeUndefined();
  await changeTestPhone(account, phone, { fault: null });
  expect((await unsend(id)).status).toBe(202);
  await untilDone(chatId);
  expect(await unsentAt(id)).toBeDefined();
});

test.each([
  ["sms_only", "SMS"],
  ["android_rcs", "RCS"],
] as const)("a message to an %s phone is 409/2017", async (platform, service) => {
  running.push(startDispatch());
  const phone = await createTestPhone(account, { platform });
  const id = await acceptTestMessage(account, await createDirectChat(account, phone));
  await untilStatus(account, id, "sent");
  const { status, body, headers } = await unsend(id);
  expect([status, body.error.code]).toEqual([409, 2017]);
  expect(body.error.message).toContain(`${service} messages can't be unsent`);
  expect(headers.get("x-should-retry")).toBe("false");
});

test("a line whose transport can't unsend is 409/2017, before anything is queued", async () => {
  const { chatId, id } = await sendOne();
  await prisma().line.updateMany({ where: { accountId: account.ref.id }, data: { transport: "twilio" } });
  const answer = await unsend(id);
  await prisma().line.updateMany({ where: { accountId: account.ref.id }, data: { transport: "simulator" } });
  expect([answer.status, answer.body.error.code]).toEqual([409, 2017]);
  expect(await waitingActions(chatId)).toEqual([]);
});

test("others' messages, failed ones and those of other accounts are refused", async () => {
  running.push(startDispatch());
  const { chatId, phone } = await sendOne();
  const theirs = await writeAs(account, phone, { to: chatId, text: "mine" });
  expect(await codeOf(unsend(theirs.messageId))).toEqual([409, 2015]);

  const broken = await createTestPhone(account);
  const lost = await acceptTestMessage(account, await createDirectChat(account, broken));
  await untilStatus(account, lost, "sent");
  await sql.runText({ text: "update messages set delivery_status = 'failed' where id = $1", values: [lost] });
  expect(await codeOf(unsend(lost))).toEqual([409, 2015]);

  const rival = await createTestAccount({ type: "sandbox" });
  expect(await codeOf(callApi(`POST /v3/messages/${lost}/unsend`, { token: rival.token }))).toEqual([
    403, 2005,
  ]);
  expect(await codeOf(unsend("019ca9c2-7310-7e75-8b44-6fa051829304"))).toEqual([404, 2002]);
});

test("an unsent message is neither edited nor reacted to", async () => {
  running.push(startDispatch(), startActions());
  const { chatId, id } = await sendOne();
  await untilStatus(account, id, "sent");
  await unsend(id);
  await untilDone(chatId);
  expect(await codeOf(call(`PATCH /v3/messages/${id}`, { text: "back" }))).toEqual([409, 2015]);
  const reaction = { operation: "add", type: "love" };
  expect(await codeOf(call(`POST /v3/messages/${id}/reactions`, reaction))).toEqual([409, 2015]);
});
