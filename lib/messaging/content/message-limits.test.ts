import "@/lib/testing/use-test-database";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { updateAccountOptions } from "@/lib/identity/accounts/update-account-options";
import { prisma, sql } from "@/lib/platform/database/db";
import { now, setClock } from "@/lib/platform/time/clock";
import { type ApiAnswer, callApi } from "@/lib/testing/call-api";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { countStatements } from "@/lib/testing/database/count-statements";
import { createDirectChat, createTestPhone, writeAs } from "@/lib/testing/factories";

let account: TestAccount;
let phone: string;
let chatId: string;

beforeEach(async () => {
  account = await createTestAccount({ type: "sandbox", limited: true });
  phone = await createTestPhone(account);
  chatId = await createDirectChat(account, phone);
});

afterEach(() => setClock(null));

function send(more: object = {}): Promise<ApiAnswer> {
  const message = { parts: [{ type: "text", value: "hello" }], ...more };
  return callApi(`POST /v3/chats/${chatId}/messages`, { token: account.token, body: { message } });
}

async function sendMany(count: number): Promise<number[]> {
  const answers = await Promise.all(Array.from({ length: count }, () => send()));
  return answers.map(({ status }) => status);
}

const accepted = (statuses: number[]) => statuses.filter((status) => status === 202).length;

function moveClock(seconds: number): void {
  setClock({ offsetMs: seconds * 1000, frozenAt: null });
}

describe("30 messages in 60 s from a line to a recipient", () => {
  test("of a burst just 30 are accepted; the others say when to come back", async () => {
    expect(accepted(await sendMany(80))).toBe(30);

    const refused = await send();
    expect(refused).toMatchObject({ status: 429, body: { error: { code: 1007 } } });
    const seconds = refused.body.error.retry_after;
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(60);
    expect(refused.headers.get("retry-after")).toBe(String(seconds));
    moveClock(seconds);
    expect((await send()).status).toBe(202);
  });

  test("holds for the first message of a chat that is there already", async () => {
    await sendMany(30);
    const body = { from: account.line, to: [phone], message: { parts: [{ type: "text", value: "again" }] } };
    expect((await callApi("POST /v3/chats", { token: account.token, body })).status).toBe(429);
  });

  test("does not hold between chats, nor for what the recipient writes", async () => {
    await sendMany(30);
    expect((await writeAs(account, phone, { to: account.line, text: "still here" })).chatId).toBe(chatId);
    const other = await createDirectChat(account, await createTestPhone(account));
    const body = { message: { parts: [{ type: "text", value: "you too" }] } };
    const answer = await callApi(`POST /v3/chats/${other}/messages`, { token: account.token, body });
    expect(answer.status).toBe(202);
  });

  test("an idempotent repeat is answered over the limit, and an opt-out before it", async () => {
    const first = await send({ idempotency_key: "first" });
    await sendMany(30);
    expect((await send({ idempotency_key: "first" })).body.message.id).toBe(first.body.message.id);

    await writeAs(account, phone, { to: account.line, text: "STOP" });
    expect((await send()).body.error.code).toBe(2024);
  });

  test("an account's own limit counts in its place", async () => {
    await updateAccountOptions(account.context(), { body: { pair_messages: 3 } });
    expect(accepted(await sendMany(10))).toBe(3);
    await updateAccountOptions(account.context(), { body: { pair_messages: null } });
    expect(accepted(await sendMany(40))).toBe(40);
  });
});

describe("a sandbox's messages of a day", () => {
  beforeEach(async () => {
    await updateAccountOptions(account.context(), { body: { pair_messages: null } });
  });

  test("inbound and outbound together are at most 100; inbound is stored beyond that", async () => {
    await writeAs(account, phone, { to: account.line, text: "two" });
    expect(accepted(await sendMany(120))).toBe(98);

    await writeAs(account, phone, { to: account.line, text: "over it" });
    expect(await prisma().message.count({ where: { chatId, isFromMe: false } })).toBe(3);
  });

  test("over the cap the answer names midnight UTC, when it is open again", async () => {
    await sendMany(99);
    const refused = await send();
    expect(refused).toMatchObject({ status: 429, body: { error: { code: 1007 } } });
    const seconds = refused.body.error.retry_after;
    expect(new Date(Math.round((now().getTime() + seconds * 1000) / 60_000) * 60_000).toISOString()).toMatch(
      /T00:00:00.000Z$/,
    );
    if (seconds > 60) expect(refused.headers.get("x-should-retry")).toBe("false");

    moveClock(seconds);
    expect((await send()).status).toBe(202);
  });

  test("chats are capped together", async () => {
    await updateAccountOptions(account.context(), { body: { daily_messages: 10 } });
    const chats = [chatId, await createDirectChat(account, await createTestPhone(account))];
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, n) =>
        callApi(`POST /v3/chats/${chats[n % 2]}/messages`, {
          token: account.token,
          body: { message: { parts: [{ type: "text", value: `${n}` }] } },
        }),
      ),
    );
    expect(accepted(answers.map(({ status }) => status))).toBe(8);
  });

  test("concurrent sends with one key are one message, counted once, however often they are repeated", async () => {
    await updateAccountOptions(account.context(), { body: { daily_messages: 10 } });
    await prisma().accountDay.deleteMany({ where: { accountId: account.ref.id } });
    for (const expected of [1, 2]) {
      const idempotency_key = `once-${expected}`;
      const answers = await Promise.all(Array.from({ length: 6 }, () => send({ idempotency_key })));
      expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(202));
      expect(new Set(answers.map(({ body }) => body.message.id)).size).toBe(1);
      expect(await prisma().accountDay.findMany({ where: { accountId: account.ref.id } })).toMatchObject([
        { messages: expected },
      ]);
    }
  });

  test("rejected sends are not counted", async () => {
    await updateAccountOptions(account.context(), { body: { daily_messages: 10 } });
    await sendMany(30);
    expect(await prisma().accountDay.findMany({ where: { accountId: account.ref.id } })).toMatchObject([
      { messages: 10 },
    ]);
  });

  test("a send that counts takes two statements from the first on, authentication included", async () => {
    expect(await countStatements(() => send())).toBe(2);
    expect(await countStatements(() => send())).toBe(2);

    await updateAccountOptions(account.context(), { body: { daily_messages: null } });
    await send();
    expect(await countStatements(() => send())).toBe(2);
    await updateAccountOptions(account.context(), { body: { daily_messages: 5 } });
    expect(accepted(await sendMany(3))).toBe(2);
  });

  test("a production account has no cap and keeps no count", async () => {
    const production = await createTestAccount({ type: "production" });
    await production.sendFirst("+14155550199");
    expect(await prisma().accountDay.count({ where: { accountId: production.ref.id } })).toBe(0);
  });
});

describe("opt-out", () => {
  test("no send that began after a STOP was stored is accepted", async () => {
    await updateAccountOptions(account.context(), { body: { pair_messages: null, daily_messages: null } });
    let stoppedAt = Number.POSITIVE_INFINITY;
    let done = false;
    const answers: { startedAt: number; status: number }[] = [];
    const sender = async () => {
      while (!done) {
        const startedAt = performance.now();
        answers.push({ startedAt, status: (await send()).status });
      }
    };
    const senders = Array.from({ length: 8 }, sender);
    while (answers.length < 40) await new Promise((resolve) => setImmediate(resolve));
    await writeAs(account, phone, { to: account.line, text: "STOP" });
    stoppedAt = performance.now();
    const before = answers.length;
    while (answers.length < before + 40) await new Promise((resolve) => setImmediate(resolve));
    done = true;
    await Promise.all(senders);

    const after = answers.filter(({ startedAt }) => startedAt > stoppedAt);
    expect(after.length).toBeGreaterThan(20);
    expect(new Set(after.map(({ status }) => status))).toEqual(new Set([403]));
    expect(accepted(answers.map(({ status }) => status))).toBeGreaterThan(20);
  });

  test("an override is accepted, kept as evidence and on record; without an opt-out it leaves no trace", async () => {
    const override = () =>
      callApi(`POST /v3/chats/${chatId}/messages`, {
        token: account.token,
        body: { message: { parts: [{ type: "text", value: "important" }] }, override_optout: true },
      });
    await override();
    expect(await prisma().optOutOverride.count({ where: { accountId: account.ref.id } })).toBe(0);

    await writeAs(account, phone, { to: account.line, text: "STOP" });
    const { body } = await override();
    const [kept] = await prisma().optOutOverride.findMany({ where: { accountId: account.ref.id } });
    expect(kept).toMatchObject({ messageId: body.message.id, handle: phone, chatId, actorType: "api" });
    const audits = await sql.runText({
      text: "select object_id, actor_type from audit_entries where account_id = $1 and action = 'opt_out.overridden'",
      values: [account.ref.id],
    });
    expect(audits).toEqual([{ object_id: body.message.id, actor_type: "api" }]);
  });
});
