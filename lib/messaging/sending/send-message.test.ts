import "@/lib/testing/use-test-database";

import { beforeAll, describe, expect, test } from "vitest";
import { prisma, sql } from "@/lib/platform/database/db";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { countStatements } from "@/lib/testing/database/count-statements";

const RECIPIENT = "+15550007777";
const text = (value: string) => ({ parts: [{ type: "text", value }] });

let account: TestAccount;
let chatId: string;

beforeAll(async () => {
  account = await createTestAccount({ type: "production" });
  ({ chatId } = await account.sendFirst(RECIPIENT));
});

function send(message: object, more: object = {}) {
  return callApi(`POST /v3/chats/${chatId}/messages`, { token: account.token, body: { message, ...more } });
}

describe("accepting a send", () => {
  test("answers 202 with a pending message; message, job and event are stored together", async () => {
    const { status, body, headers } = await send(text("hello"));

    expect(status).toBe(202);
    expect(body).toMatchObject({
      chat_id: chatId,
      message: { delivery_status: "pending", service: null, sent_at: null },
    });
    const stored = await prisma().message.findFirstOrThrow({ where: { id: body.message.id } });
    expect(stored.dispatchAt).not.toBeNull();
    expect(stored.traceId).toBe(headers.get("x-trace-id"));
    expect(
      await prisma().event.count({ where: { messageId: body.message.id, type: "message.accepted" } }),
    ).toBe(1);
  });

  test("takes two statements, authentication included", async () => {
    expect(await countStatements(() => send(text("counted")))).toBe(2);
  });

  test("one hundred concurrent sends with one key make one message, one event", async () => {
    const message = { ...text("once"), idempotency_key: "hundred" };
    const answers = await Promise.all(Array.from({ length: 100 }, () => send(message)));

    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]));
    const ids = new Set(answers.map(({ body }) => body.message.id));
    expect(ids.size).toBe(1);
    const [id] = ids;
    expect(await prisma().message.count({ where: { idempotencyKey: "hundred" } })).toBe(1);
    expect(await prisma().event.count({ where: { messageId: id } })).toBe(1);
  });

  test("a repeated key answers the original even with another text; once deleted, 404 and nothing is resent", async () => {
    const first = await send({ ...text("original"), idempotency_key: "again" });
    const repeat = await send({ ...text("changed"), idempotency_key: "again" });
    expect(repeat.status).toBe(202);
    expect(repeat.body.message).toMatchObject({ id: first.body.message.id, parts: [{ value: "original" }] });

    await callApi(`DELETE /v3/messages/${first.body.message.id}`, { token: account.token });
    const after = await send({ ...text("original"), idempotency_key: "again" });
    expect(after.status).toBe(404);
    expect(after.body.error.code).toBe(2002);
  });

  test("two accounts may use the same key", async () => {
    const other = await createTestAccount({ type: "production" });
    const { chatId: theirs } = await other.sendFirst(RECIPIENT);
    const message = { ...text("mine"), idempotency_key: "shared" };
    const ours = await send(message);
    const their = await callApi(`POST /v3/chats/${theirs}/messages`, {
      token: other.token,
      body: { message },
    });
    expect(their.body.message.id).not.toBe(ours.body.message.id);
  });
});

test.each([
  [{ name: "slam" }, { type: "bubble", name: "slam" }],
  [
    { name: "confetti", type: null },
    { type: "screen", name: "confetti" },
  ],
  [
    { type: "bubble", name: "invisible_ink" },
    { type: "bubble", name: "invisible" },
  ],
  [
    { type: "screen", name: "warp" },
    { type: "screen", name: "warp" },
  ],
])("the effect %j is sent as %j", async (effect, shown) => {
  const { status, body } = await send({ ...text("look"), effect });
  expect([status, body.message.effect]).toEqual([202, shown]);
  const read = await callApi(`GET /v3/messages/${body.message.id}`, { token: account.token });
  expect(read.body.effect).toEqual(shown);
});

test("the message of an idempotency key is found without sending; an unknown or a foreign key is 404/2002", async () => {
  const { body } = await send({ ...text("once"), idempotency_key: "order 1/2" });
  const find = (key: string, token = account.token) =>
    callApi(`GET /v3/messages?idempotency_key=${encodeURIComponent(key)}`, { token });
  const found = await find("order 1/2");
  expect([found.status, found.body.chat_id, found.body.message.id]).toEqual([200, chatId, body.message.id]);
  const { token } = await createTestAccount({ type: "production" });
  for (const answer of [await find("order 3"), await find("order 1/2", token)]) {
    expect([answer.status, answer.body.error.code]).toEqual([404, 2002]);
  }
  const none = await callApi("GET /v3/messages", { token: account.token });
  expect([none.status, none.body.error.code]).toEqual([400, 1001]);
});

test("an explicit null for an optional field counts as absent: what an answer held can be sent again", async () => {
  const first = await send({ ...text("again"), effect: null, reply_to: null, preferred_service: null });
  expect(first.status).toBe(202);
  const { parts, effect, reply_to, preferred_service } = first.body.message;
  const second = await send({ parts, effect, reply_to, preferred_service, idempotency_key: null });
  expect([second.status, second.body.message.parts]).toEqual([202, parts]);
});

test("a reply to a part that the message does not have is 400/1005; to one it has, accepted", async () => {
  const { body } = await send(text("one part"));
  const reply = (part_index: number) =>
    send({ ...text("re"), reply_to: { message_id: body.message.id, part_index } });
  const wrong = await reply(1);
  expect([wrong.status, wrong.body.error.code]).toEqual([400, 1005]);
  expect((await reply(0)).status).toBe(202);
});

describe("refusing a send", () => {
  const refusals: [string, object | string, number, number][] = [
    ["no message", {}, 400, 1001],
    ["no parts", { message: {} }, 400, 1001],
    ["no value", { message: { parts: [{ type: "text" }] } }, 400, 1001],
    ["an empty text", { message: text("") }, 400, 1004],
    ["10,001 characters", { message: text("x".repeat(10_001)) }, 400, 1004],
    ["5,001 emoji, which are 10,002 UTF-16 units", { message: text("😀".repeat(5001)) }, 400, 1004],
    ["an effect that says nothing", { message: { ...text("a"), effect: {} } }, 400, 1004],
    [
      "an effect whose name is still open",
      { message: { ...text("a"), effect: { type: "screen" } } },
      400,
      1004,
    ],
    ["an unknown effect of no type", { message: { ...text("a"), effect: { name: "warp" } } }, 400, 1004],
    ["null for a required field", { message: null }, 400, 1004],
    ["101 parts", { message: { parts: Array(101).fill({ type: "text", value: "x" }) } }, 400, 1004],
    ["adjacent texts", { message: { parts: [...text("a").parts, ...text("b").parts] } }, 400, 1004],
    ["an unknown part", { message: { parts: [{ type: "hologram" }] } }, 400, 1004],
    [
      "an effect of another family",
      { message: { ...text("a"), effect: { type: "bubble", name: "lasers" } } },
      400,
      1004,
    ],
    ["an unknown service", { message: { ...text("a"), preferred_service: "Fax" } }, 400, 1004],
    ["a key of 256 characters", { message: { ...text("a"), idempotency_key: "k".repeat(256) } }, 400, 1004],
    [
      "a reply to no such message",
      { message: { ...text("a"), reply_to: { message_id: crypto.randomUUID() } } },
      404,
      2002,
    ],
    ["U+0000", { message: text("a\u0000b") }, 400, 1003],
    ["half a surrogate pair", '{"message":{"parts":[{"type":"text","value":"\\ud83d"}]}}', 400, 1003],
    ["a list as the body", [], 400, 1003],
  ];

  test.each(refusals)("%s", async (_, body, status, code) => {
    const before = await prisma().message.count({ where: { chatId } });
    const answer = await callApi(`POST /v3/chats/${chatId}/messages`, { token: account.token, body });

    expect([answer.status, answer.body.error.code]).toEqual([status, code]);
    expect(await prisma().message.count({ where: { chatId } })).toBe(before);
  });

  test("an escaped backslash before u0000 is text like any other", async () => {
    const { status, body } = await send(text("a\\u0000b"));
    expect(status).toBe(202);
    expect(body.message.parts[0].value).toBe("a\\u0000b");
  });

  async function refused(change: string, undo: string): Promise<[number, number]> {
    const values = [account.ref.id];
    await sql.runText({ text: change, values });
    const { status, body } = await send(text("refused?"));
    await sql.runText({ text: undo, values });
    return [status, body.error?.code];
  }

  test("an opted-out recipient gets 2024 and nothing is queued, unless the send overrides it", async () => {
    await sql.runText({
      text: "insert into contacts (account_id, handle, opted_out_at) values ($1, $2, now())",
      values: [account.ref.id, RECIPIENT],
    });
    const before = await prisma().message.count({ where: { chatId } });
    const plain = await send(text("hello?"));
    expect([plain.status, plain.body.error.code]).toEqual([403, 2024]);
    expect(await prisma().message.count({ where: { chatId } })).toBe(before);

    const courtesy = await send(text("Goodbye."), { override_optout: true });
    expect(courtesy.status).toBe(202);
    await sql.runText({ text: "delete from contacts where account_id = $1", values: [account.ref.id] });
  });

  test("a blocked recipient is 2026, a flagged line 2027, a chat that was left 2013", async () => {
    expect(
      await refused(
        `insert into contacts (account_id, handle, blocked_at) values ($1, '${RECIPIENT}', now())`,
        "delete from contacts where account_id = $1",
      ),
    ).toEqual([403, 2026]);
    expect(
      await refused(
        "update lines set status = 'FLAGGED' where account_id = $1",
        "update lines set status = 'ACTIVE' where account_id = $1",
      ),
    ).toEqual([403, 2027]);
    expect(
      await refused(
        "update chats set left_at = now() where account_id = $1",
        "update chats set left_at = null where account_id = $1",
      ),
    ).toEqual([409, 2013]);
  });

  test("iMessage from a line that has none is 2017", async () => {
    expect(
      (
        await callApi(`POST /v3/chats/${chatId}/messages`, {
          token: account.token,
          body: { message: { ...text("a"), preferred_service: "iMessage" } },
        })
      ).status,
    ).toBe(202);
    await sql.runText({
      text: "update chats set line_type = 'RCS' where account_id = $1",
      values: [account.ref.id],
    });
    const { status, body } = await send({ ...text("a"), preferred_service: "iMessage" });
    await sql.runText({
      text: "update chats set line_type = 'iMessage' where account_id = $1",
      values: [account.ref.id],
    });
    expect([status, body.error.code]).toEqual([409, 2017]);
  });

  test("in a sandbox a recipient who never wrote to the line is 2008, and no chat is left behind", async () => {
    const sandbox = await createTestAccount({ type: "sandbox" });
    const { status, body } = await callApi("POST /v3/chats", {
      token: sandbox.token,
      body: { from: sandbox.line, to: [RECIPIENT], message: text("hi") },
    });
    expect([status, body.error.code]).toEqual([403, 2008]);
    expect(await prisma().chat.count({ where: { accountId: sandbox.ref.id } })).toBe(0);
    expect(await prisma().event.count({ where: { accountId: sandbox.ref.id, chatId: { not: null } } })).toBe(
      0,
    );
  });

  test("a send that began after the opt-out was stored is never accepted", async () => {
    const sends: Promise<{ startedAt: number; status: number }>[] = [];
    const fire = () => {
      const startedAt = performance.now();
      sends.push(send(text("burst")).then(({ status }) => ({ startedAt, status })));
    };
    for (let round = 0; round < 20; round++) fire();
    await sql.runText({
      text: "insert into contacts (account_id, handle, opted_out_at) values ($1, $2, now())",
      values: [account.ref.id, RECIPIENT],
    });
    const storedAt = performance.now();
    for (let round = 0; round < 100; round++) fire();
    const results = await Promise.all(sends);
    await sql.runText({ text: "delete from contacts where account_id = $1", values: [account.ref.id] });

    const late = results.filter((result) => result.startedAt > storedAt);
    expect(late).toHaveLength(100);
    expect(late.every(({ status }) => status === 403)).toBe(true);
  });
});
