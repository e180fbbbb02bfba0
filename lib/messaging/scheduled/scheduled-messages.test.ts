import "@/lib/testing/use-test-database";

import { beforeEach, describe, expect, test } from "vitest";
import * as MESSAGES from "@/app/api/chats/[chatId]/messages/route";
import * as TAKE_OVER from "@/app/api/chats/[chatId]/take-over/route";
import * as SCHEDULED from "@/app/api/scheduled-messages/[messageId]/route";
import { updateAccountOptions } from "@/lib/identity/accounts/update-account-options";
import { setLineStatus } from "@/lib/lines/lines/set-line-status";
import {
  claimDueMessages,
  sendDueMessage,
  startScheduledMessages,
} from "@/lib/messaging/scheduled/send-due-messages";
import { prisma, sql, transaction } from "@/lib/platform/database/db";
import { now } from "@/lib/platform/time/clock";
import { callApi } from "@/lib/testing/call-api";
import {
  createScheduledBench,
  DAY_S,
  HOUR_S,
  inSeconds,
  runDue,
  textOf,
  toSecond,
} from "@/lib/testing/conversations/scheduled-bench";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { countStatements } from "@/lib/testing/database/count-statements";
import { untilLocked } from "@/lib/testing/database/until-locked";
import {
  acceptTestMessage,
  createDirectChat,
  createTestPhone,
  eventsOfMessage,
  untilStatus,
  writeAs,
} from "@/lib/testing/factories";
import { signInAs } from "@/lib/testing/sign-in/sign-in-as";

const bench = createScheduledBench();
const { advance, call, send, statusOf, uploadWav } = bench;

let account: TestAccount;
let phone: string;
let chatId: string;

beforeEach(() => {
  ({ account, phone, chatId } = bench.current());
});

const list = async (query = "") =>
  (await call(`GET /v3/scheduled_messages${query}`)).body.scheduled_messages as { id: string }[];
const idsOf = (rows: readonly { id: string }[]) => rows.map(({ id }) => id);

async function schedule(text: string, seconds = HOUR_S, content: object = {}): Promise<string> {
  const { status, body } = await send(text, { send_at: inSeconds(seconds) }, content);
  expect(status).toBe(202);
  return body.message.id;
}

/** The time with which an id begins. */
const msOfId = (id: string) => Number.parseInt(id.replace("-", "").slice(0, 12), 16);

/** The texts of our messages in the chat, in its order. */
async function texts(of = chatId): Promise<string[]> {
  const rows = await prisma().message.findMany({
    where: { chatId: of, isFromMe: true },
    orderBy: { position: "asc" },
  });
  return rows.map(({ parts }) => (parts as { value: string }[])[0]?.value ?? "");
}

async function failureOf(id: string) {
  const events = await eventsOfMessage(account, id);
  return events.map(({ type, data }) => [type, data.failure?.code]);
}

describe("a send with a time", () => {
  test("is the accepted message with its time, and sends nothing and is in no list of messages until then", async () => {
    const send_at = inSeconds(HOUR_S);
    const { status, body } = await send("later", { send_at });

    expect(status).toBe(202);
    expect(body).toMatchObject({
      chat_id: chatId,
      message: { delivery_status: "pending", send_at: toSecond(send_at), parts: [{ value: "later" }] },
    });
    expect(body.message.from_handle).toMatchObject({ handle: account.line, is_me: true });
    await runDue();
    expect(await texts()).toEqual([]);
    const { messages } = (await call(`GET /v3/chats/${chatId}/messages`)).body;
    expect(messages).toHaveLength(1);
    expect(await list()).toMatchObject([
      { id: body.message.id, chat_id: chatId, send_at: toSecond(send_at), parts: [{ value: "later" }] },
    ]);
    expect((await call(`GET /v3/messages/${body.message.id}`)).body).toMatchObject({
      delivery_status: "pending",
      send_at: toSecond(send_at),
      chat_id: chatId,
    });
    expect(await eventsOfMessage(account, body.message.id)).toEqual([]);
  });

  test("is sent when it is due, with its id, in the chat's order of then", async () => {
    const id = await schedule("later");
    await send("now");
    advance(HOUR_S);
    await runDue();

    expect(await texts()).toEqual(["now", "later"]);
    expect(await list()).toEqual([]);
    const { body } = await call(`GET /v3/messages/${id}`);
    expect(body).toMatchObject({ delivery_status: "pending", created_at: toSecond(now().toISOString()) });
    expect(body).not.toHaveProperty("send_at");
    expect((await call(`GET /v3/scheduled_messages/${id}`)).body.error).toMatchObject({ code: 2015 });
  });

  test("in the past or now is an ordinary send without a time in its answer", async () => {
    for (const send_at of [inSeconds(-DAY_S), inSeconds(0)]) {
      const { body } = await send("now", { send_at });
      expect(body.message).not.toHaveProperty("send_at");
    }
    expect(await texts()).toEqual(["now", "now"]);
    expect(await list()).toEqual([]);
  });

  test.each([
    ["2026-03-01"],
    ["2026-03-01T09:00:00"],
    ["tomorrow"],
    [1_780_000_000],
    ["2026-02-30T09:00:00Z"],
  ])("%s is 400/1005", async (send_at) => {
    const { status, body } = await send("x", { send_at });
    expect([status, body.error.code]).toEqual([400, 1005]);
  });

  test("30 days ahead is accepted, a second more is 400/1005", async () => {
    expect((await send("x", { send_at: inSeconds(30 * DAY_S) })).status).toBe(202);
    const { status, body } = await send("x", { send_at: inSeconds(30 * DAY_S + 1) });
    expect([status, body.error.code]).toEqual([400, 1005]);
  });

  test("to a chat of another account is 403/2005, to none 404/2001", async () => {
    const other = await createTestAccount({ type: "sandbox" });
    const theirs = await createDirectChat(other, await createTestPhone(other));
    const to = async (id: string) => {
      const body = { message: textOf("x"), send_at: inSeconds(60) };
      const answer = await call(`POST /v3/chats/${id}/messages`, body);
      return [answer.status, answer.body.error.code];
    };
    expect(await to(theirs)).toEqual([403, 2005]);
    expect(await to("019ca9c2-4c02-7c53-ad22-4d8e3f607182")).toEqual([404, 2001]);
  });

  test("a send without one takes one statement, as ever", async () => {
    expect(await countStatements(() => acceptTestMessage(account, chatId))).toBe(1);
  });
});

describe("an idempotency key", () => {
  const keyed = (seconds: number) =>
    send("later", { send_at: inSeconds(seconds) }, { idempotency_key: "order-1" });

  test("returns the scheduled message, whatever the time, and finds it", async () => {
    const first = (await keyed(HOUR_S)).body;
    expect((await keyed(2 * HOUR_S)).body).toEqual(first);
    expect(idsOf(await list())).toEqual([first.message.id]);
    const found = await call("GET /v3/messages?idempotency_key=order-1");
    expect(found.body).toMatchObject({ chat_id: chatId, message: { id: first.message.id } });
  });

  test("returns the message after it was sent, and sends nothing again", async () => {
    const { id } = (await keyed(HOUR_S)).body.message;
    advance(HOUR_S);
    await runDue();
    expect((await keyed(-HOUR_S)).body.message.id).toBe(id);
    expect((await keyed(HOUR_S)).body.message.id).toBe(id);
    expect(await texts()).toEqual(["later"]);
  });

  test("of a canceled message is 404/2002, also once the time has passed", async () => {
    const { id } = (await keyed(HOUR_S)).body.message;
    await call(`DELETE /v3/scheduled_messages/${id}`);
    for (const seconds of [HOUR_S, -HOUR_S]) {
      const { status, body } = await keyed(seconds);
      expect([status, body.error.code]).toEqual([404, 2002]);
    }
    expect(await texts()).toEqual([]);
  });

  test("of two requests at once schedules one message", async () => {
    const answers = await Promise.all([keyed(HOUR_S), keyed(HOUR_S), keyed(HOUR_S)]);
    expect(new Set(answers.map(({ body }) => body.message.id)).size).toBe(1);
    expect(await list()).toHaveLength(1);
  });
});

describe("every kind of send", () => {
  test("POST /v3/chats opens the chat and schedules its first message", async () => {
    const stranger = await createTestPhone(account);
    await writeAs(account, stranger, { to: account.line, text: "hello" });
    const to = [phone, stranger];
    const request = { from: account.line, to, message: textOf("first"), send_at: inSeconds(HOUR_S) };
    const { status, body } = await call("POST /v3/chats", request);
    expect(status).toBe(201);
    expect(body.chat.message).toMatchObject({ send_at: toSecond(request.send_at) });
    expect(await texts(body.chat.id)).toEqual([]);
    advance(HOUR_S);
    await runDue();
    expect((await prisma().message.findFirst({ where: { chatId: body.chat.id } }))?.id).toBe(
      body.chat.message.id,
    );
  });

  test("POST /v3/messages chooses the chat now", async () => {
    const request = { to: [phone], message: textOf("best"), send_at: inSeconds(HOUR_S) };
    const { status, body } = await call("POST /v3/messages", request);
    expect(status).toBe(202);
    expect(body).toMatchObject({ chat_id: chatId, message: { send_at: toSecond(request.send_at) } });
    advance(HOUR_S);
    await runDue();
    expect(await texts()).toEqual(["best"]);
  });

  test("POST /v3/messages to a new person opens the chat now", async () => {
    const stranger = await createTestPhone(account);
    const request = {
      to: [stranger],
      message: textOf("new", { idempotency_key: "n" }),
      send_at: inSeconds(60),
    };
    const first = await call("POST /v3/messages", request);
    expect(first.body).toMatchObject({ created_new_chat: true });
    const again = await call("POST /v3/messages", request);
    expect(again.body.message.id).toBe(first.body.message.id);
    expect(idsOf(await list())).toEqual([first.body.message.id]);
  });

  test("a voice memo keeps its file and is a voice memo when it is sent", async () => {
    const { attachment_id } = await uploadWav();
    const request = { attachment_id, send_at: inSeconds(HOUR_S) };
    const { status, body } = await call(`POST /v3/chats/${chatId}/voicememo`, request);
    expect(status).toBe(202);
    expect(body.voice_memo).toMatchObject({ send_at: toSecond(request.send_at), status: "pending" });
    expect(await list()).toMatchObject([{ is_voice_memo: true }]);
    const changed = await call(`PATCH /v3/scheduled_messages/${body.voice_memo.id}`, {
      message: textOf("x"),
    });
    expect([changed.status, changed.body.error.code]).toEqual([400, 1005]);
    advance(HOUR_S);
    await runDue();
    expect(await prisma().message.findFirst({ where: { id: body.voice_memo.id } })).toMatchObject({
      kind: "voice_memo",
    });
  });

  test("a message with a file sends the file that was stored for it", async () => {
    const upload = await uploadWav();
    const message = { parts: [{ type: "media", url: upload.download_url }] };
    const request = { message, send_at: inSeconds(HOUR_S) };
    const { body } = await call(`POST /v3/chats/${chatId}/messages`, request);
    advance(HOUR_S);
    await runDue();
    const sent = (await call(`GET /v3/messages/${body.message.id}`)).body;
    expect(sent).toMatchObject({ parts: [{ type: "media", id: upload.attachment_id }] });
    const uses = await prisma().attachmentUse.findMany({ where: { messageId: body.message.id } });
    expect(uses).toHaveLength(1);
  });

  test("a file that was deleted meanwhile fails the message with 2003", async () => {
    const upload = await uploadWav();
    const message = { parts: [{ type: "media", attachment_id: upload.attachment_id }] };
    const request = { message, send_at: inSeconds(HOUR_S) };
    const { id } = (await call(`POST /v3/chats/${chatId}/messages`, request)).body.message;
    await call(`DELETE /v3/attachments/${upload.attachment_id}`);
    advance(HOUR_S);
    await runDue();
    expect(await failureOf(id)).toEqual([["message.failed", 2003]]);
  });
});

describe("what waits", () => {
  test("keeps an ephemeral file until it is sent, and a cancel ends the use of it", async () => {
    await prisma().account.update({ where: { id: account.ref.id }, data: { attachmentTier: "ephemeral" } });
    const upload = await uploadWav();
    const message = { parts: [{ type: "media", attachment_id: upload.attachment_id }] };
    const request = { message, send_at: inSeconds(3 * DAY_S) };
    const { id } = (await call(`POST /v3/chats/${chatId}/messages`, request)).body.message;
    const file = await prisma().attachment.findFirst({ where: { id: upload.attachment_id } });
    expect(file?.expiresAt === null || (file?.expiresAt?.getTime() ?? 0) >= Date.parse(request.send_at)).toBe(
      true,
    );
    await call(`DELETE /v3/scheduled_messages/${id}`);
    expect(await prisma().attachmentUse.count({ where: { messageId: id } })).toBe(0);
  });

  test("is at most 100 messages of a chat", async () => {
    const one = await schedule("x");
    await sql.runText({
      text: `insert into scheduled_messages (account_id, id, chat_id, content, parts, override_optout, actor_type, trace_id,
          due_at, created_at, updated_at)
        select account_id, gen_random_uuid(), chat_id, content, parts, false, actor_type, trace_id, due_at, created_at, updated_at
        from scheduled_messages, generate_series(1, 99) where id = $1`,
      values: [one],
    });
    const { status, body } = await send("one more", { send_at: inSeconds(HOUR_S) });
    expect([status, body.error.code]).toEqual([409, 2015]);
    expect((await call(`DELETE /v3/scheduled_messages/${one}`)).status).toBe(204);
    expect((await send("one more", { send_at: inSeconds(HOUR_S) })).status).toBe(202);
  });

  test("fails with 2015 when something else was sent with its key", async () => {
    const id = await schedule("later", HOUR_S, { idempotency_key: "shared" });
    expect((await send("now", {}, { idempotency_key: "shared" })).status).toBe(202);
    advance(HOUR_S);
    await runDue();
    expect(await failureOf(id)).toEqual([["message.failed", 2015]]);
    expect(await texts()).toEqual(["now", "later"]);
  });

  test("is tried five times for an error of ours, and then fails", async () => {
    const id = await schedule("later");
    advance(HOUR_S);
    await sql.runText({ text: "update scheduled_messages set attempts = 5 where id = $1", values: [id] });
    await runDue();
    expect(await failureOf(id)).toEqual([["message.failed", 3006]]);
  });
});

describe("a change", () => {
  test("moves the time and replaces the content; the order is that of the new time", async () => {
    const first = await schedule("first", HOUR_S);
    const second = await schedule("second", 2 * HOUR_S);
    const send_at = inSeconds(3 * HOUR_S);
    const message = textOf("changed");
    const { status, body } = await call(`PATCH /v3/scheduled_messages/${first}`, { send_at, message });
    expect([status, body]).toMatchObject([
      200,
      { send_at: toSecond(send_at), parts: [{ value: "changed" }] },
    ]);
    expect(idsOf(await list())).toEqual([second, body.id]);
    advance(3 * HOUR_S);
    await runDue();
    expect(await texts()).toEqual(["second", "changed"]);
  });

  test("gives the message the id of its time, by which it is found from then on, and the old one is 404/2002", async () => {
    const first = await schedule("later", 20 * DAY_S, { idempotency_key: "moved" });
    const send_at = inSeconds(HOUR_S);
    const { body } = await call(`PATCH /v3/scheduled_messages/${first}`, { send_at });
    expect(body.id).not.toBe(first);
    expect(msOfId(body.id)).toBe(Date.parse(toSecond(send_at)));
    for (const path of [`GET /v3/messages/${first}`, `DELETE /v3/scheduled_messages/${first}`] as const) {
      const old = await call(path);
      expect([old.status, old.body.error.code]).toEqual([404, 2002]);
    }
    const again = await send("later", { send_at }, { idempotency_key: "moved" });
    expect(again.body.message.id).toBe(body.id);
    // An hour late.
    advance(2 * HOUR_S);
    await runDue();
    expect((await call(`GET /v3/messages/${body.id}`)).body.created_at).toBe(toSecond(send_at));
  });

  test("of the content is the caller's; a person's is refused for a message that overrides an opt-out", async () => {
    const agent = await signInAs(account, "support");
    const id = await schedule("x");
    const params = { messageId: id };
    const body = { message: textOf("y") };
    const changed = await agent.call(SCHEDULED.PATCH, { method: "PATCH", params, body });
    expect(changed.status).toBe(200);
    expect(await prisma().scheduledMessage.findFirst({ where: { id: changed.body.id } })).toMatchObject({
      actorType: "user",
      actorId: agent.id,
    });
    const override = (await send("z", { send_at: inSeconds(60), override_optout: true })).body.message.id;
    const refused = await agent.call(SCHEDULED.PATCH, {
      method: "PATCH",
      params: { messageId: override },
      body,
    });
    expect(refused.status).toBe(403);
  });

  test("to a time in the past sends the message now", async () => {
    const id = await schedule("soon");
    await call(`PATCH /v3/scheduled_messages/${id}`, { send_at: inSeconds(-5) });
    await runDue();
    expect(await texts()).toEqual(["soon"]);
  });

  test("without anything is 400/1001, more than 30 days ahead 400/1005, of an unknown id 404/2002, of another account 403/2005", async () => {
    const id = await schedule("x");
    const other = await createTestAccount({ type: "sandbox" });
    const codeOf = async (path: string, body: object, token = account.token) => {
      const answer = await callApi(`PATCH /v3/scheduled_messages/${path}`, { token, body });
      return [answer.status, answer.body.error.code];
    };
    expect(await codeOf(id, {})).toEqual([400, 1001]);
    expect(await codeOf(id, { send_at: inSeconds(31 * DAY_S) })).toEqual([400, 1005]);
    const unknown = "019ca9c2-4c02-7c53-ad22-4d8e3f607182";
    expect(await codeOf(unknown, { send_at: inSeconds(60) })).toEqual([404, 2002]);
    expect(await codeOf(id, { send_at: inSeconds(60) }, other.token)).toEqual([403, 2005]);
  });

  test("a cancel erases the content, is repeated with 404/2002, and nothing is sent", async () => {
    const id = await schedule("secret plans");
    expect((await call(`DELETE /v3/scheduled_messages/${id}`)).status).toBe(204);
    const again = await call(`DELETE /v3/scheduled_messages/${id}`);
    expect([again.status, again.body.error.code]).toEqual([404, 2002]);
    expect(await prisma().scheduledMessage.findFirst({ where: { id } })).toMatchObject({
      content: null,
      parts: null,
      dueAt: null,
    });
    advance(HOUR_S);
    await runDue();
    expect(await texts()).toEqual([]);
  });

  test("DELETE /v3/messages does not cancel", async () => {
    const id = await schedule("later");
    expect((await call(`DELETE /v3/messages/${id}`)).status).toBe(404);
    expect(idsOf(await list())).toEqual([id]);
  });

  test("the list pages through messages of the same second, and filters by chat", async () => {
    const ids = [];
    for (const text of ["a", "b", "c"]) ids.push(await schedule(text, HOUR_S));
    const first = await call(`GET /v3/scheduled_messages?limit=2&chat_id=${chatId}`);
    expect(idsOf(first.body.scheduled_messages)).toEqual(ids.slice(0, 2));
    const cursor = encodeURIComponent(first.body.next_cursor);
    const second = await call(`GET /v3/scheduled_messages?limit=2&cursor=${cursor}`);
    expect(idsOf(second.body.scheduled_messages)).toEqual(ids.slice(2));
    expect(second.body.next_cursor).toBeNull();
    expect(await list("?chat_id=019ca9c2-4c02-7c53-ad22-4d8e3f607182")).toEqual([]);
  });
});

describe("when a message is due it is checked like a send of that time", () => {
  async function refusedAfter(prepare: () => Promise<unknown>, text = "later") {
    const id = await schedule(text);
    await prepare();
    advance(HOUR_S);
    await runDue();
    expect(await statusOf(id)).toBe("failed");
    expect(await texts()).toContain(text);
    expect(await list()).toEqual([]);
    return failureOf(id);
  }

  test("after a STOP it fails with 2024", async () => {
    const failed = await refusedAfter(() => writeAs(account, phone, { to: account.line, text: "STOP" }));
    expect(failed).toEqual([["message.failed", 2024]]);
  });

  test("to a blocked handle it fails with 2026", async () => {
    const failed = await refusedAfter(() => call("POST /v3/blocked_handles", { handle: phone }));
    expect(failed).toEqual([["message.failed", 2026]]);
  });

  test("on a flagged line it fails with 2027", async () => {
    const line = await prisma().line.findFirstOrThrow({ where: { phoneNumber: account.line } });
    const failed = await refusedAfter(() => setLineStatus(account.context(), line.id, "FLAGGED"));
    expect(failed).toEqual([["message.failed", 2027]]);
  });

  test("while a person holds the chat, a program's fails with 2015, and a person's is sent", async () => {
    await updateAccountOptions(account.context(), { body: { take_over_minutes: 240 } });
    const agent = await signInAs(account, "support");
    const body = { message: textOf("by a person"), send_at: inSeconds(HOUR_S) };
    expect((await agent.call(MESSAGES.POST, { method: "POST", params: { chatId }, body })).status).toBe(202);
    const failed = await refusedAfter(() =>
      agent.call(TAKE_OVER.POST, { method: "POST", params: { chatId } }),
    );
    expect(failed).toEqual([["message.failed", 2015]]);
    expect(await texts()).toEqual(["by a person", "later"]);
  });

  test("over the limit of messages to one recipient, those that are too many fail with 1007", async () => {
    await prisma().account.update({ where: { id: account.ref.id }, data: { pairMessages: 3 } });
    const ids: string[] = [];
    for (const text of ["1", "2", "3", "4"]) ids.push(await schedule(text));
    advance(HOUR_S);
    await runDue();
    const statuses = await Promise.all(ids.map(statusOf));
    expect(statuses).toEqual(["pending", "pending", "pending", "failed"]);
    expect(await failureOf(ids[3] ?? "")).toEqual([["message.failed", 1007]]);
  });

  test("a failed message has its idempotency key", async () => {
    const id = await schedule("later", HOUR_S, { idempotency_key: "k" });
    await writeAs(account, phone, { to: account.line, text: "STOP" });
    advance(HOUR_S);
    await runDue();
    const again = await send("later", { send_at: inSeconds(0) }, { idempotency_key: "k" });
    expect(again.body.message).toMatchObject({ id, delivery_status: "failed" });
  });
});

describe("several workers", () => {
  test("send each message once, in the order in which they were scheduled", async () => {
    const wanted = Array.from({ length: 12 }, (_, index) => `m${index}`);
    for (const text of wanted) await schedule(text);
    advance(HOUR_S);
    await Promise.all([runDue(), runDue(), runDue(), runDue()]);
    await runDue();
    expect(await texts()).toEqual(wanted);
  });

  test("that claim the same message send it once", async () => {
    await schedule("once");
    advance(HOUR_S);
    const [due] = await claimDueMessages(10);
    if (due === undefined) throw new Error("nothing is due");
    await Promise.all([sendDueMessage(due), sendDueMessage(due), sendDueMessage(due)]);
    expect(await texts()).toEqual(["once"]);
  });

  test("a message waits for the earlier one of its chat that another worker has", async () => {
    await schedule("first");
    await schedule("second");
    advance(HOUR_S);
    const [first, ...others] = await claimDueMessages(10);
    expect(others).toEqual([]);
    expect(await claimDueMessages(10)).toEqual([]);
    if (first === undefined) throw new Error("nothing is due");
    await sendDueMessage(first);
    await runDue();
    expect(await texts()).toEqual(["first", "second"]);
  });

  test("after a worker died with a message, another one sends it", async () => {
    const id = await schedule("later");
    advance(HOUR_S);
    expect(await claimDueMessages(10)).toHaveLength(1);
    await sql.runText({
      text: "update scheduled_messages set lease_until = clock_timestamp() - interval '1 second' where id = $1",
      values: [id],
    });
    await runDue();
    expect(await texts()).toEqual(["later"]);
  });

  test("a started queue sends what is due", async () => {
    const id = await schedule("later");
    const queue = startScheduledMessages();
    advance(HOUR_S);
    const moved = await call(`PATCH /v3/scheduled_messages/${id}`, { send_at: inSeconds(0) });
    await untilSent(moved.body.id);
    await queue.stop();
  });
});

async function untilSent(id: string): Promise<void> {
  while ((await prisma().message.count({ where: { id } })) === 0);
  await untilStatus(account, id, "pending");
}

describe("a change and the send at the same moment", () => {
  /** Holds the row while a worker and `change` wait for it in this order, or the other way around. */
  async function race(id: string, first: () => Promise<unknown>, second: () => Promise<unknown>) {
    const done: Promise<unknown>[] = [];
    await transaction(async (tx) => {
      await tx.runText({ text: "select 1 from scheduled_messages where id = $1 for update", values: [id] });
      done.push(first());
      await untilLocked("scheduled_messages");
      done.push(second());
      // One that comes when the row is free would pass the one that waits for it.
      await untilBothWait();
    });
    return Promise.all(done);
  }

  async function untilBothWait(): Promise<void> {
    const text = `select count(*)::int as waiting from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and position('scheduled_messages' in query) > 0`;
    while (((await sql.runText<{ waiting: number }>({ text }))[0]?.waiting ?? 0) < 2);
  }

  test("the send was first: the cancel is 409/2015 and the message is sent once", async () => {
    const id = await schedule("later");
    advance(HOUR_S);
    const [due] = await claimDueMessages(1);
    if (due === undefined) throw new Error("nothing is due");
    let canceled: Promise<{ status: number; body: { error?: { code: number } } }> | undefined;
    const cancel = () => {
      canceled = call(`DELETE /v3/scheduled_messages/${id}`);
      return canceled;
    };
    await race(id, () => sendDueMessage(due), cancel);
    const answer = await canceled;
    expect([answer?.status, answer?.body.error?.code]).toEqual([409, 2015]);
    expect(await texts()).toEqual(["later"]);
  });

  test("the cancel was first: nothing is sent", async () => {
    const id = await schedule("later");
    advance(HOUR_S);
    const [due] = await claimDueMessages(1);
    if (due === undefined) throw new Error("nothing is due");
    await race(
      id,
      () => call(`DELETE /v3/scheduled_messages/${id}`),
      () => sendDueMessage(due),
    );
    expect(await texts()).toEqual([]);
    expect((await call(`DELETE /v3/scheduled_messages/${id}`)).status).toBe(404);
  });

  test("a change of the content that was first: the old content is not sent, the new one is", async () => {
    const id = await schedule("old");
    advance(HOUR_S);
    const [due] = await claimDueMessages(1);
    if (due === undefined) throw new Error("nothing is due");
    const change = () =>
      call(`PATCH /v3/scheduled_messages/${id}`, { message: textOf("new"), send_at: inSeconds(0) });
    await race(id, change, () => sendDueMessage(due));
    await runDue();
    expect(await texts()).toEqual(["new"]);
  });

  test("a move that was first: it is not sent until then", async () => {
    const id = await schedule("later");
    advance(HOUR_S);
    const [due] = await claimDueMessages(1);
    if (due === undefined) throw new Error("nothing is due");
    const move = () => call(`PATCH /v3/scheduled_messages/${id}`, { send_at: inSeconds(60) });
    const [moved] = await race(id, move, () => sendDueMessage(due));
    expect(moved).toMatchObject({ status: 200 });
    await runDue();
    expect(await texts()).toEqual([]);
    advance(60);
    await runDue();
    expect(await texts()).toEqual(["later"]);
  });
});

describe("a person's", () => {
  test("schedule, change, cancel and send are in the audit log with the person", async () => {
    const agent = await signInAs(account, "support");
    const scheduleAs = async (text: string) => {
      const body = { message: textOf(text), send_at: inSeconds(HOUR_S) };
      const answer = await agent.call(MESSAGES.POST, { method: "POST", params: { chatId }, body });
      return answer.body.message.id as string;
    };
    const sent = await scheduleAs("sent");
    const canceled = await scheduleAs("canceled");
    const body = { send_at: inSeconds(2 * HOUR_S) };
    const changing = { method: "PATCH" as const, params: { messageId: canceled }, body };
    const moved = (await agent.call(SCHEDULED.PATCH, changing)).body.id;
    const canceling = { method: "DELETE" as const, params: { messageId: moved } };
    expect((await agent.call(SCHEDULED.DELETE, canceling)).status).toBe(204);
    advance(HOUR_S);
    await runDue();
    const entries = await prisma().auditEntry.findMany({
      where: { objectId: { in: [sent, canceled, moved] } },
      orderBy: { id: "asc" },
    });
    expect(entries.map(({ action, actorId, objectId }) => [action, actorId, objectId])).toEqual([
      ["message.scheduled", agent.id, sent],
      ["message.scheduled", agent.id, canceled],
      ["message.rescheduled", agent.id, moved],
      ["message.schedule_canceled", agent.id, moved],
      ["message.sent", agent.id, sent],
    ]);
    expect(JSON.stringify(entries.map(({ detail }) => detail))).not.toContain('"sent"');
  });

  test("override of an opt-out can't be scheduled", async () => {
    const agent = await signInAs(account, "admin");
    const body = {
      message: textOf("x"),
      send_at: inSeconds(60),
      override_optout: true,
      override_reason: "a last word",
    };
    const { status } = await agent.call(MESSAGES.POST, { method: "POST", params: { chatId }, body });
    expect(status).toBe(400);
  });
});
