import "@/lib/testing/use-test-database";

import { beforeEach, describe, expect, test } from "vitest";
import { createLine } from "@/lib/lines/lines/create-line";
import { setLineStatus } from "@/lib/lines/lines/set-line-status";
import { setLineUp } from "@/lib/lines/lines/set-line-up";
import { prisma } from "@/lib/platform/database/db";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { countStatements } from "@/lib/testing/database/count-statements";
import { createDirectChat, createTestPhone } from "@/lib/testing/factories";

const text = (value: string) => ({ parts: [{ type: "text", value }] });

let account: TestAccount;
let recipients = 0;

beforeEach(async () => {
  account = await createTestAccount({ type: "production" });
});

function newRecipient(): string {
  return `+1777${String(1_000_000 + ++recipients)}`;
}

function send(to: string[], more: object = {}, headers: Record<string, string> = {}) {
  const body = { to, message: text("hello"), ...more };
  return callApi("POST /v3/messages", { token: account.token, body, headers });
}

test.each([["clé-1"], ["заказ-7"], ["注文-7"], ["order-7"]])(
  "the key %s is one key in the header and in the body",
  async (key) => {
    const to = [newRecipient()];
    // HTTP headers are bytes, which Node gives as Latin-1.
    const first = await send(to, {}, { "idempotency-key": Buffer.from(key).toString("latin1") });
    const again = await send(to, { message: { ...text("hello"), idempotency_key: key } });
    expect([first.status, again.status, again.body.message?.id]).toEqual([202, 202, first.body.message.id]);
  },
);

let lines = 0;

async function addLine(lineType: "iMessage" | "RCS" = "iMessage"): Promise<{ id: string; number: string }> {
  const number = `+1888${String(1_000_000 + ++lines)}`;
  const { id } = await createLine(account.ref, { phoneNumber: number, lineType, transport: "simulator" });
  return { id, number };
}

async function ownLineId(): Promise<string> {
  return (await prisma().line.findFirstOrThrow({ where: { phoneNumber: account.line } })).id;
}

async function flag(lineId: string): Promise<void> {
  await setLineStatus(account.context(), lineId, "FLAGGED");
}

function codeOf({ status, body }: { status: number; body: { error: { code: number } } }): [number, number] {
  return [status, body.error.code];
}

describe("without a chat", () => {
  test("a new one begins on the best line, and the answer says so", async () => {
    const to = newRecipient();
    const { status, body } = await send([to]);

    expect(status).toBe(202);
    expect(body).toMatchObject({
      created_new_chat: true,
      from: account.line,
      from_selection: { reason: "new_best_number", reused_existing_chat: false },
      health_status: { status: "HEALTHY" },
      is_group: false,
      line_type: "iMessage",
      message: { delivery_status: "pending", parts: [{ type: "text", value: "hello" }] },
      previous_chat_id: null,
      service: "iMessage",
    });
    expect(body.handles.map(({ handle }: { handle: string }) => handle)).toEqual([account.line, to]);
    expect(await prisma().event.count({ where: { chatId: body.chat_id, type: "chat.created" } })).toBe(1);
  });

  test("lines take turns, the healthiest first; a line that is down comes last", async () => {
    const [second, third] = [await addLine(), await addLine()];
    const down = await addLine();
    await setLineUp(account.ref.id, down.id, false);
    await prisma().line.updateMany({ where: { id: third.id }, data: { reputation: "AT_RISK" } });

    const picked: string[] = [];
    for (let count = 0; count < 4; count++) picked.push((await send([newRecipient()])).body.from);

    expect(picked).toEqual([account.line, second.number, account.line, second.number]);
    await flag(await ownLineId());
    await flag(second.id);
    expect((await send([newRecipient()])).body.from).toBe(third.number);
    await flag(third.id);
    const held = await send([newRecipient()]);
    expect(held.body).toMatchObject({ from: down.number, message: { delivery_status: "queued" } });
  });

  test("fifty sends at once to a new recipient open one chat, on one line", async () => {
    await addLine();
    const to = newRecipient();
    const answers = await Promise.all(Array.from({ length: 50 }, () => send([to])));

    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]));
    expect(new Set(answers.map(({ body }) => body.chat_id)).size).toBe(1);
    expect(answers.filter(({ body }) => body.created_new_chat)).toHaveLength(1);
    expect(await prisma().message.count({ where: { chatId: answers[0]?.body.chat_id } })).toBe(50);
  });

  test("twenty sends at once to new recipients are spread over the lines", async () => {
    const second = await addLine();
    const answers = await Promise.all(Array.from({ length: 20 }, () => send([newRecipient()])));
    const on = (number: string) => answers.filter(({ body }) => body.from === number);
    expect([on(account.line).length, on(second.number).length]).toEqual([10, 10]);
  });

  test("an email address or a wish for iMessage takes an iMessage line", async () => {
    await addLine("RCS");
    await flag(await ownLineId());
    expect(codeOf(await send(["ada@example.com"]))).toEqual([409, 2015]);
    const criteria = { message: { ...text("hi"), preferred_service: "iMessage" } };
    expect(codeOf(await send([newRecipient()], criteria))).toEqual([409, 2015]);
    expect((await send([newRecipient()])).body).toMatchObject({ line_type: "RCS", service: "RCS" });
  });

  test("excluded lines are passed over; excluding all is 400, having none is 409", async () => {
    const second = await addLine();
    const to = newRecipient();
    const one = await send([to], { exclude_from: [account.line, "+15550009999"] });
    expect(one.body.from).toBe(second.number);

    const all = await send([newRecipient()], { exclude_from: [account.line, second.number] });
    expect(codeOf(all)).toEqual([400, 1005]);

    await flag(await ownLineId());
    await flag(second.id);
    expect(codeOf(await send([newRecipient()]))).toEqual([409, 2015]);
  });

  test("a refused send opens no chat", async () => {
    const to = newRecipient();
    await prisma().contact.create({
      data: { accountId: account.ref.id, handle: to, blockedAt: new Date() },
    });
    expect(codeOf(await send([to]))).toEqual([403, 2026]);
    expect(await prisma().chat.count({ where: { accountId: account.ref.id } })).toBe(0);
  });

  test("in a sandbox the line the recipient has written to comes first", async () => {
    account = await createTestAccount({ type: "sandbox" });
    const known = await addLine();
    const phone = await createTestPhone(account);
    await createDirectChat({ ...account, line: known.number }, phone);
    await prisma().chat.updateMany({
      where: { accountId: account.ref.id },
      data: { participantsKey: null },
    });
    expect((await send([phone])).body.from).toBe(known.number);
    expect(codeOf(await send([newRecipient()]))).toEqual([403, 2008]);
  });
});

describe("with a chat", () => {
  test("the chat is used again, in any order of recipients and in spite of exclude_from", async () => {
    await addLine();
    const to = [newRecipient(), newRecipient()];
    const first = await send(to);
    const next = await send(to.toReversed(), { exclude_from: [first.body.from] });

    expect(next.body).toMatchObject({
      chat_id: first.body.chat_id,
      created_new_chat: false,
      from: first.body.from,
      from_selection: { reason: "reused_active_chat", reused_existing_chat: true },
      handles: first.body.handles,
      is_group: true,
      previous_chat_id: null,
    });
  });

  test("takes two statements after authentication", async () => {
    const to = newRecipient();
    await send([to]);
    expect(await countStatements(() => send([to]))).toBe(3);
  });

  test("on a flagged line a new one goes on from another, with the continuation and the chat before", async () => {
    const to = newRecipient();
    const first = await send([to]);
    const fresh = await addLine();
    await flag(await ownLineId());

    const next = await send([to], {
      message: { ...text("as I said"), reply_to: { message_id: first.body.message.id } },
      continuation_message: { text: "It is us, from a new number" },
    });
    expect(next.body).toMatchObject({
      created_new_chat: true,
      from: fresh.number,
      from_selection: { reason: "failover_flagged", reused_existing_chat: false },
      message: { parts: [{ type: "text", value: "It is us, from a new number" }], reply_to: null },
      previous_chat_id: first.body.chat_id,
    });

    const after = await send([to], { continuation_message: { text: "not said again" } });
    expect(after.body).toMatchObject({
      chat_id: next.body.chat_id,
      from_selection: { reason: "reused_active_chat" },
      message: { parts: [{ value: "hello" }] },
    });
  });
});

describe("an idempotency key", () => {
  test("repeated, by header or content, answers the original with its choice, also when no line is left", async () => {
    const to = newRecipient();
    const before = await send([to]);
    const fresh = await addLine();
    await flag(await ownLineId());
    const first = await send([to], {}, { "idempotency-key": "k1" });
    expect(first.body.from_selection.reason).toBe("failover_flagged");
    await flag(fresh.id);

    const keyed = { message: { ...text("other"), idempotency_key: "k1" } };
    const repeat = await send([newRecipient()], keyed);
    expect(repeat.status).toBe(202);
    expect(repeat.body).toMatchObject({
      chat_id: first.body.chat_id,
      from: fresh.number,
      from_selection: { reason: "failover_flagged" },
      message: { id: first.body.message.id, parts: [{ value: "hello" }] },
      previous_chat_id: before.body.chat_id,
    });
  });

  test("used twenty times at once makes one message and one chat", async () => {
    const to = newRecipient();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => send([to], {}, { "idempotency-key": "k2" })),
    );
    expect(new Set(answers.map(({ body }) => body.message.id)).size).toBe(1);
    expect(await prisma().message.count({ where: { accountId: account.ref.id } })).toBe(1);
    expect(await prisma().chat.count({ where: { accountId: account.ref.id } })).toBe(1);
  });

  test("of a deleted message is 404", async () => {
    const to = newRecipient();
    const { body } = await send([to], {}, { "idempotency-key": "k3" });
    await callApi(`DELETE /v3/messages/${body.message.id}`, { token: account.token });
    expect(codeOf(await send([to], {}, { "idempotency-key": "k3" }))).toEqual([404, 2002]);
  });
});

test.each([
  ["no recipient", { to: [] }, 1005],
  ["no to", { to: undefined }, 1001],
  ["no message", { message: undefined }, 1001],
  ["a number not in E.164", { to: ["555-0100"] }, 1002],
  ["an excluded number not in E.164", { exclude_from: ["5550100"] }, 1002],
  ["an empty continuation", { continuation_message: { text: "" } }, 1005],
])("%s is refused", async (_, change, code) => {
  expect(codeOf(await send([newRecipient()], change))).toEqual([400, code]);
});
