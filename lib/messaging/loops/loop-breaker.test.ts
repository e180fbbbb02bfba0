import "@/lib/testing/use-test-database";
import { beforeEach, describe, expect, test } from "vitest";
import * as MESSAGES from "@/app/api/chats/[chatId]/messages/route";
import * as NOTES from "@/app/api/chats/[chatId]/notes/route";
import * as RESUME from "@/app/api/chats/[chatId]/resume/route";
import * as TEAM from "@/app/api/chats/[chatId]/team/route";
import * as NOTICES from "@/app/api/notices/route";
import * as BLOCKERS from "@/app/api/send-blockers/route";
import type { InboundMessage } from "@/lib/adapters/transports/inbound";
import type { LineRef } from "@/lib/adapters/transports/refs";
import { updateAccountOptions } from "@/lib/identity/accounts/update-account-options";
import { receiveMessage } from "@/lib/messaging/inbound/receive-message";
import { endLoopHolds } from "@/lib/messaging/loops/end-loop-holds";
import { holdLoop } from "@/lib/messaging/loops/hold-loop";
import { prisma, sql, transaction } from "@/lib/platform/database/db";
import { now } from "@/lib/platform/time/clock";
import { getHome, HomeQuery } from "@/lib/runtime/dashboard/get-home";
import { emptyState } from "@/lib/simulator/accounts/account-state";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { recordStatements } from "@/lib/testing/database/record-statements";
import { untilLocked } from "@/lib/testing/database/until-locked";
import { advanceClock, createTestPhone, freezeClock } from "@/lib/testing/factories";
import { lineOf } from "@/lib/testing/line-of";
import { type DashboardUser, signInAs } from "@/lib/testing/sign-in/sign-in-as";

const EXCHANGES = 15;

let account: TestAccount;
let line: LineRef;
let phone: string;
let chatId: string;
let agent: DashboardUser;
let counter = 0;

const bodyOf = (text: string) => ({ message: { parts: [{ type: "text", value: text }] } });
const send = (text = "Thanks, we will look into your request.") =>
  callApi(`POST /v3/chats/${chatId}/messages`, { token: account.token, body: bodyOf(text) });
const write = (text = "Hello from a person") =>
  agent.call(MESSAGES.POST, { method: "POST", params: { chatId }, body: bodyOf(text) });
const resume = (by = agent) => by.call(RESUME.POST, { method: "POST", params: { chatId } });
const endHolds = () => endLoopHolds(new AbortController().signal);
const team = async () => (await agent.call(TEAM.GET, { params: { chatId } })).body;
const notices = async () =>
  (await agent.call(NOTICES.GET, { query: { status: "open" } })).body.notices.filter(
    ({ kind }: { kind: string }) => kind === "chat_loop",
  );
const chatRow = () =>
  prisma().chat.findFirstOrThrow({
    where: { id: chatId },
    select: { exchangeCount: true, loopHeldAt: true },
  });

async function receive(text: string, more: Partial<InboundMessage> = {}) {
  const received = await receiveMessage(line, {
    type: "message",
    ref: `loop-${++counter}`,
    groupRef: null,
    from: phone,
    others: [],
    service: "iMessage",
    at: now(),
    parts: [{ type: "text", value: text }],
    ...more,
  });
  if (received === null) throw new Error("the message was dropped");
  return received;
}

/** What the dispatcher stores after a send. */
async function handOver(): Promise<void> {
  await sql.runText({
    text: "update chats set unanswered = unanswered || $2::timestamptz, last_activity_at = $2 where id = $1",
    values: [chatId, now()],
  });
}

/** Another word each time: texts that differ in a number are the same. */
const nextWord = () => String(++counter).replaceAll(/\d/g, (digit) => "abcdefghij"[Number(digit)] ?? "");

interface Pace {
  seconds?: number;
  from?: string;
  more?: Partial<InboundMessage>;
  by?: (text: string) => Promise<unknown>;
}

/** One answer of ours, and one of the other side. */
async function exchange({ seconds = 1, from = phone, more = {}, by = send }: Pace = {}): Promise<void> {
  await by(`Answer ${nextWord()} of our program to this message.`);
  await handOver();
  advanceClock(seconds);
  await receive(`Answer ${nextWord()} of the other program to ours.`, { from, ...more });
}

async function exchanges(count: number, pace: Pace = {}): Promise<void> {
  for (let index = 0; index < count; index++) await exchange(pace);
}

const eventsOf = (type: string) =>
  sql.runText<{ data: Record<string, unknown> }>({
    text: "select data from events where account_id = $1 and chat_id = $2 and type = $3",
    values: [account.ref.id, chatId, type],
  });

beforeEach(async () => {
  freezeClock();
  account = await createTestAccount({ type: "sandbox" });
  line = await lineOf(account);
  phone = await createTestPhone(account);
  agent = await signInAs(account, "support");
  await updateAccountOptions(account.context(), { body: { loop_exchanges: EXCHANGES, pair_messages: null } });
  ({ chatId } = await receive("first"));
  return () => freezeClock(false);
});

test.each([
  ["production", 20],
  ["sandbox", null],
] as const)("a new %s account begins with %s exchanges", async (type, expected) => {
  const fresh = await createTestAccount({ type });
  const row = await prisma().account.findUniqueOrThrow({ where: { id: fresh.ref.id } });
  expect(row.loopExchanges).toBe(expected);
});

describe("two programs that answer each other", () => {
  test("are stopped after the account's exchanges: 409/2015, not to be retried, and nothing is stored", async () => {
    await exchanges(EXCHANGES - 1);
    expect((await send()).status).toBe(202);
    await handOver();
    advanceClock(1);
    await receive("Answer of the other program, once more.");

    const before = await prisma().message.count({ where: { chatId } });
    const refused = await send();
    expect(refused.status).toBe(409);
    expect(refused.headers.get("x-should-retry")).toBe("false");
    expect(refused.body.error).toMatchObject({ code: 2015 });
    expect(refused.body.error.message).toContain("two programs seem to answer each other");
    expect(await prisma().message.count({ where: { chatId } })).toBe(before);
  });

  test.each([
    [
      "a poll",
      () => `/v3/chats/${chatId}/polls`,
      () => ({ poll: { options: [{ text: "Today" }, { text: "Tomorrow" }] } }),
    ],
    ["POST /v3/chats", () => "/v3/chats", () => ({ from: account.line, to: [phone], ...bodyOf("hello") })],
    ["POST /v3/messages", () => "/v3/messages", () => ({ to: [phone], ...bodyOf("hello") })],
  ])("%s is refused too", async (_, path, body) => {
    await exchanges(EXCHANGES);
    const { body: answer } = await callApi(`POST ${path()}`, { token: account.token, body: body() });
    expect(answer.error).toMatchObject({ code: 2015 });
  });

  test("leave an event, a notice, an audit entry and a line on the timeline, once", async () => {
    await exchanges(EXCHANGES);
    await exchanges(7);
    expect(await eventsOf("chat.loop_detected")).toMatchObject([
      { data: { chat: { id: chatId, is_group: false }, loop: "fast", exchanges: EXCHANGES } },
    ]);
    expect(await notices()).toMatchObject([{ severity: "warning", link: `/chats/${chatId}` }]);
    const { body } = await agent.call(NOTES.GET, { params: { chatId } });
    expect(body.notes.map(({ text }: { text: string }) => text)).toEqual([
      "Two programs seem to answer each other. API sends are on hold until a person resumes them",
    ]);
    const audited = await prisma().auditEntry.findMany({ where: { objectId: chatId, objectType: "chat" } });
    expect(audited).toMatchObject([
      { action: "chat.loop_held", actorType: "system", detail: { loop: "fast", exchanges: EXCHANGES } },
    ]);
  });

  test("are reported to subscriptions that list the event", async () => {
    const target_url = "https://hooks.example.com/loops";
    const body = { target_url, subscribed_events: ["chat.loop_detected", "chat.resumed"] };
    await callApi("POST /v3/webhook-subscriptions", { token: account.token, body });
    await exchanges(EXCHANGES);
    await resume();
    const deliveries = await prisma().webhookDelivery.count({ where: { accountId: account.ref.id } });
    expect(deliveries).toBe(2);
  });

  test("that repeat the same texts slowly are stopped, too", async () => {
    for (let index = 0; index < EXCHANGES; index++) {
      expect((await send()).status).toBe(202);
      await handOver();
      advanceClock(60);
      await receive("I am out of the office until Monday.");
    }
    expect((await send()).status).toBe(409);
    expect(await eventsOf("chat.loop_detected")).toMatchObject([{ data: { loop: "same" } }]);
  });

  test("in a group are stopped while others write", async () => {
    const other = await createTestPhone(account);
    const group = { groupRef: "group-of-loops", others: [other] };
    ({ chatId } = await receive("hello all", group));
    const more = { ...group };
    for (let index = 0; index < EXCHANGES; index++) {
      await exchange({ more });
      await receive("a person meanwhile", { ...group, from: other, others: [phone] });
    }
    // The messages of others between the two are no exchanges of theirs.
    expect((await send()).status).toBe(409);
  });
});

describe("people are not stopped", () => {
  test("when they type", async () => {
    await exchanges(EXCHANGES * 2, { seconds: 5 });
    expect((await send()).status).toBe(202);
    expect((await chatRow()).exchangeCount).toBe(EXCHANGES * 2);
  });

  test("when a colleague in the dashboard answers a program", async () => {
    await exchanges(EXCHANGES - 1);
    await exchange({ by: write });
    expect(await chatRow()).toEqual({ exchangeCount: EXCHANGES, loopHeldAt: null });
  });

  test("when their network does not say when texts were written, and many arrive at once", async () => {
    await exchanges(EXCHANGES, { more: { isTimeReported: false } });
    expect(await chatRow()).toEqual({ exchangeCount: EXCHANGES, loopHeldAt: null });
  });

  test("when they send links with the same text, each answered with the same text", async () => {
    for (let index = 0; index < EXCHANGES; index++) {
      expect((await send()).status).toBe(202);
      await handOver();
      advanceClock(20);
      const link = { type: "link" as const, url: `https://example.com/${index}` };
      await receive("", { parts: [{ type: "text", value: "My photo" }, link] });
    }
    expect(await chatRow()).toEqual({ exchangeCount: EXCHANGES, loopHeldAt: null });
  });

  test("after a pause, which begins the count anew", async () => {
    await exchanges(EXCHANGES - 1);
    advanceClock(601);
    await receive("Answer of the other program, after a while.");
    expect((await chatRow()).exchangeCount).toBe(0);
    await exchanges(EXCHANGES - 1);
    expect((await send()).status).toBe(202);
  });

  test("when the option is off, which also ends holds: they don't come back with it", async () => {
    await exchanges(EXCHANGES);
    expect((await send()).status).toBe(409);
    await updateAccountOptions(account.context(), { body: { loop_exchanges: null } });
    expect((await send()).status).toBe(202);
    expect((await team()).loop_held_at).toBeNull();
    await endHolds();
    expect(await eventsOf("chat.resumed")).toHaveLength(1);
    expect(await notices()).toEqual([]);
    await updateAccountOptions(account.context(), { body: { loop_exchanges: EXCHANGES } });
    expect((await send()).status).toBe(202);
    await updateAccountOptions(account.context(), { body: { loop_exchanges: null } });
    await exchanges(EXCHANGES * 2);
    expect((await chatRow()).loopHeldAt).toBeNull();
  });
});

describe("while a chat is on hold", () => {
  beforeEach(() => exchanges(EXCHANGES));

  test("people send, inbound messages arrive, and an opt-out counts", async () => {
    expect((await write()).status).toBe(202);
    await receive("STOP");
    expect((await write()).body.error).toMatchObject({ code: 2024 });
    expect((await send()).body.error).toMatchObject({ code: 2024 });
    expect(await prisma().optOut.count({ where: { accountId: account.ref.id, endedAt: null } })).toBe(1);
  });

  test("a dry run and the send blockers say so", async () => {
    const path = `/v3/chats/${chatId}/messages?dry_run=true`;
    const dry = await callApi(`POST ${path}`, { token: account.token, body: bodyOf("hello") });
    expect(dry.body).toMatchObject({ would_send: false });
    const { body } = await agent.call(BLOCKERS.GET, { query: { chat_id: chatId } });
    expect(body.places[0].sendBlockers).toMatchObject([{ reason: "loop_held", code: 2015, refuses: false }]);
  });

  test("a person resumes it: sends are accepted, with an event and an audit entry, and the notice ends", async () => {
    expect((await team()).loop_held_at).toBe(now().toISOString());
    expect((await resume()).status).toBe(204);
    expect(await chatRow()).toEqual({ exchangeCount: 0, loopHeldAt: null });
    expect((await send()).status).toBe(202);
    expect(await notices()).toEqual([]);
    expect(await eventsOf("chat.resumed")).toMatchObject([{ data: { chat: { id: chatId } } }]);
    const last = await prisma().auditEntry.findFirst({
      where: { objectId: chatId },
      orderBy: { id: "desc" },
    });
    expect(last).toMatchObject({ action: "chat.resumed", actorType: "user", actorId: agent.id });
    expect((await resume()).status).toBe(204);
    expect(await eventsOf("chat.resumed")).toHaveLength(1);
  });

  test("the count begins anew after that: a loop lasts as long again", async () => {
    await resume();
    await exchanges(EXCHANGES - 1);
    expect((await send()).status).toBe(202);
    await handOver();
    advanceClock(1);
    await receive("Answer of the other program, the last one.");
    expect((await send()).status).toBe(409);
  });

  test("it ends when the contact has not written for an hour, with an event, and the count begins anew", async () => {
    advanceClock(1800);
    await receive("One more answer of the other program.");
    advanceClock(3599);
    expect((await send()).status).toBe(409);
    await endHolds();
    expect((await team()).loop_held_at).not.toBeNull();
    advanceClock(2);
    expect((await send()).status).toBe(202);
    expect((await team()).loop_held_at).toBeNull();
    await endHolds();
    await endHolds();
    expect(await chatRow()).toEqual({ exchangeCount: 0, loopHeldAt: null });
    expect(await eventsOf("chat.resumed")).toHaveLength(1);
    expect(await notices()).toEqual([]);
    const { body } = await agent.call(NOTES.GET, { params: { chatId } });
    expect(body.notes.at(-1).text).toBe("The hold for API sends ended");
  });

  test("a message that comes after the end does not begin the hold again", async () => {
    advanceClock(3601);
    await receive("Hello again");
    expect((await send()).status).toBe(202);
    await endHolds();
    expect((await chatRow()).loopHeldAt).toBeNull();
  });

  test("Home lists it while it lasts", async () => {
    const listed = async () =>
      (await getHome({ ...account.context(), now: now() }, { query: HomeQuery.parse({}) })).attention.map(
        ({ href }) => href,
      );
    expect(await listed()).toContain(`/chats/${chatId}`);
    advanceClock(3601);
    expect(await listed()).not.toContain(`/chats/${chatId}`);
  });

  test("a reset of the account withdraws the notice", async () => {
    expect(await notices()).toHaveLength(1);
    await transaction((tx) => emptyState(tx, account.ref.id));
    expect(await notices()).toEqual([]);
  });

  test("an observer and another account can't resume it", async () => {
    const other = await createTestAccount({ type: "sandbox" });
    const stranger = await signInAs(other, "support");
    expect((await resume(stranger)).status).toBe(403);
    expect((await send()).status).toBe(409);
  });
});

describe("at the same moment", () => {
  const holdChat = (work: () => Promise<void>) =>
    transaction(async (tx) => {
      await tx.runText({ text: "select from chats where id = $1 for no key update", values: [chatId] });
      await work();
    });

  test("a send is rejected before a resume is committed, and accepted after", async () => {
    await exchanges(EXCHANGES);
    let resumed: Promise<unknown> = Promise.resolve();
    await holdChat(async () => {
      resumed = resume();
      await untilLocked();
      expect((await send()).status).toBe(409);
    });
    await resumed;
    expect((await send()).status).toBe(202);
  });

  test("an inbound message and a resume that wait for the chat leave no hold, in either order", async () => {
    for (const order of ["resume first", "message first"]) {
      await exchanges(EXCHANGES);
      expect((await chatRow()).loopHeldAt, order).not.toBeNull();
      const work = [() => resume(), () => receive("One more answer of the other program.")];
      if (order === "message first") work.reverse();
      const running: Promise<unknown>[] = [];
      await holdChat(async () => {
        for (const start of work) {
          running.push(start());
          await untilLocked();
        }
      });
      await Promise.all(running);
      const { exchangeCount, loopHeldAt } = await chatRow();
      expect(loopHeldAt, order).toBeNull();
      expect(exchangeCount, order).toBeLessThanOrEqual(1);
      await sql.runText({ text: "update chats set exchange_count = 0 where id = $1", values: [chatId] });
    }
  });

  test("a hold that comes after the option was turned off is not set", async () => {
    await exchanges(EXCHANGES);
    await updateAccountOptions(account.context(), { body: { loop_exchanges: null } });
    await endHolds();
    await sql.runText({ text: "update chats set exchange_count = 99 where id = $1", values: [chatId] });
    await holdLoop(
      { accountId: account.ref.id, chatId, traceId: "0".repeat(32) },
      { type: "fast", counted: EXCHANGES },
    );
    expect((await chatRow()).loopHeldAt).toBeNull();
  });

  test("a hold that comes after a resume of the same exchanges is not set", async () => {
    await exchanges(EXCHANGES);
    await resume();
    const message = { accountId: account.ref.id, chatId, traceId: "0".repeat(32) };
    await holdLoop(message, { type: "fast", counted: EXCHANGES });
    expect((await chatRow()).loopHeldAt).toBeNull();
    expect(await eventsOf("chat.loop_detected")).toHaveLength(1);
  });
});

describe("the statements of a message", () => {
  test("are the same for a chat with few exchanges, and one more read when a chat is looked at", async () => {
    const names = async (work: () => Promise<unknown>) =>
      (await recordStatements(work)).flatMap(({ name }) => name ?? []);
    expect(await names(() => receive("hello there"))).toEqual(["receive-texts"]);
    await exchanges(EXCHANGES - 1, { seconds: 5 });
    await send();
    await handOver();
    advanceClock(5);
    const looked = await names(() => receive("one more answer of a person"));
    expect(looked).toEqual(["receive-texts", "list-loop-messages"]);
    // A message that ends no exchange leaves the count where it was, and nothing is looked at again.
    expect(await names(() => receive("and a second one of the same person"))).toEqual(["receive-texts"]);
    expect((await chatRow()).exchangeCount).toBe(EXCHANGES);
  });
});
