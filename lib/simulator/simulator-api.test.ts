import "@/lib/testing/use-test-database";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { actOnPhones } from "@/lib/adapters/transports/simulator/act-on-phones";
import { prisma, sql } from "@/lib/platform/database/db";
import { startWorker, type Worker } from "@/lib/runtime/worker/start-worker";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { untilStatus } from "@/lib/testing/factories";
import { until } from "@/lib/testing/until";

let account: TestAccount;
let worker: Worker;

beforeAll(async () => {
  account = await createTestAccount({ type: "sandbox" });
  worker = await startWorker();
});

afterAll(() => worker.stop());

const call = (what: `${string} ${string}`, body?: object) => callApi(what, { token: account.token, body });

let counter = 0;
const newHandle = () => `+1888${1_000_000 + ++counter}`;

async function createPhone(more: object = {}): Promise<string> {
  const handle = newHandle();
  expect((await call("POST /simulator/phones", { handle, ...more })).status).toBe(201);
  return handle;
}

interface Phone {
  handle: string;
  messages: { id: string; from: string; delivered_at: string | null; read_at: string | null }[];
  actions: { action: { do: string } }[];
}

async function phoneOf(handle: string): Promise<Phone> {
  const { body } = await call("GET /simulator/phones");
  return body.phones.find((phone: Phone) => phone.handle === handle);
}

describe("phones", () => {
  test("a phone created with the defaults is an iPhone that reads only on request", async () => {
    const handle = newHandle();
    const { status, body } = await call("POST /simulator/phones", { handle });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      handle,
      name: handle,
      platform: "iphone",
      delay_ms: 200,
      read_receipts: true,
      read_after_ms: null,
      fault: null,
    });
  });

  test("created again it changes in what is given, and only in that", async () => {
    const handle = await createPhone({ name: "Ann", fault: "rejected" });
    await call("POST /simulator/phones", { handle, platform: "android_rcs" });
    const { body } = await call("POST /simulator/phones", { handle, fault: null });
    expect(body).toMatchObject({ name: "Ann", platform: "android_rcs", fault: null });
  });

  test.each([
    [{ handle: "12345" }, 1002],
    [{ platform: "iphone" }, 1001],
    [{ handle: "+18880000000", platform: "nokia" }, 1005],
    [{ handle: "+18880000000", fault: "gremlins" }, 1005],
    [{ handle: "+18880000000", delay_ms: -1 }, 1005],
  ])("%j is refused with %i", async (body, code) => {
    const answer = await call("POST /simulator/phones", body);
    expect(answer).toMatchObject({ status: 400, body: { error: { code } } });
  });

  test("a line's number cannot be a phone", async () => {
    expect((await call("POST /simulator/phones", { handle: account.line })).body.error.code).toBe(1005);
  });

  test("a production account has none", async () => {
    const production = await createTestAccount({ type: "production" });
    const { status, body } = await callApi("GET /simulator/phones", { token: production.token });
    expect([status, body.error.code]).toEqual([403, 2011]);
  });
});

describe("a phone", () => {
  test("writes to a line, gets the answer after its delay and reads it on request", async () => {
    const handle = await createPhone({ delay_ms: 50 });
    const wrote = await call(`POST /simulator/phones/${handle}/messages`, { to: account.line, text: "hi" });
    expect(wrote.status).toBe(201);
    const { chatId, messageId } = await account.sendFirst(handle);
    expect(chatId).toBe(wrote.body.chat_id);

    await untilStatus(account, messageId, "delivered");
    const phone = await until(async () => {
      const found = await phoneOf(handle);
      return found.messages[0]?.delivered_at != null && found;
    });
    expect(phone.messages.map((message) => message.from)).toEqual([account.line, handle]);
    expect(phone.messages[0]).toMatchObject({ id: messageId, read_at: null, service: "iMessage" });

    const read = await call(`POST /simulator/phones/${handle}/read`, { chat_id: chatId });
    expect(read).toMatchObject({ status: 200, body: { chat_id: chatId, messages: 1 } });
    await untilStatus(account, messageId, "read");
    await until(async () => (await phoneOf(handle)).messages[0]?.read_at != null);
    expect((await call(`POST /simulator/phones/${handle}/read`, { chat_id: chatId })).body.messages).toBe(0);
  });

  test("sees what is done to its messages, and no other phone does", async () => {
    const [handle, other] = [await createPhone(), await createPhone()];
    await call(`POST /simulator/phones/${handle}/messages`, { to: account.line, text: "hi" });
    const { messageId } = await account.sendFirst(handle);
    await untilStatus(account, messageId, "delivered");
    await call(`POST /v3/messages/${messageId}/reactions`, { operation: "add", type: "love" });

    const seen = await until(async () => {
      const { actions } = await phoneOf(handle);
      return actions.length > 0 && actions;
    });
    expect(seen).toMatchObject([{ action: { do: "react", reaction: { type: "love" }, isRemoved: false } }]);
    expect((await phoneOf(other)).actions).toEqual([]);
  });

  test("sees what lines did in the order in which it came, whatever the ids and clocks of those who did it say", async () => {
    const handle = await createPhone();
    const [line] = await prisma().line.findMany({ where: { accountId: account.ref.id } });
    if (line === undefined) throw new Error("the account has no line");
    const target = { line, service: "iMessage" as const, to: [handle], group: null };
    const ids = ["c", "b", "a"].map((digit) => `01a00000-0000-7000-8000-00000000000${digit}`);
    const done = [{ type: "typing", isOn: true }, { type: "read" }, { type: "share_contact_card" }] as const;
    for (const [at, action] of done.entries()) await actOnPhones({ id: ids[at] ?? "", target, action });
    await sql.runText({
      text: "update simulator_actions set created_at = '2026-01-01' where account_id = $1 and handles = $2",
      values: [account.ref.id, [handle]],
    });

    const { body } = await call(`GET /simulator/phones/${handle}/messages`);
    expect(body.activity.map(({ id }: { id: string }) => id)).toEqual(ids.toReversed());
    const { actions } = await phoneOf(handle);
    expect(actions.map(({ action }) => action.do)).toEqual(["share_contact_card", "read", "typing"]);
  });

  test("without read receipts reads and does not tell", async () => {
    const handle = await createPhone({ delay_ms: 0, read_receipts: false, read_after_ms: 10 });
    await call(`POST /simulator/phones/${handle}/messages`, { to: account.line, text: "hi" });
    const { messageId } = await account.sendFirst(handle);
    await until(async () => (await phoneOf(handle)).messages.find(({ id }) => id === messageId)?.read_at);
    await untilStatus(account, messageId, "delivered");
  });

  test.each(["+", "%2B"])("is found by its handle with a %s in the path", async (plus) => {
    const handle = await createPhone();
    const path = handle.replace("+", plus);
    const { status } = await call(`POST /simulator/phones/${path}/messages`, {
      to: account.line,
      text: "hi",
    });
    expect(status).toBe(201);
  });

  test("may have an email address, in any case", async () => {
    await createPhone({ handle: "Ann@Example.com" });
    const path = "/simulator/phones/ANN@example.com/messages";
    expect((await call(`POST ${path}`, { to: account.line, text: "hi" })).status).toBe(201);
    const { messageId } = await account.sendFirst("ann@example.com");
    expect((await untilStatus(account, messageId, "delivered")).service).toBe("iMessage");
  });

  test("writes to a group, and the group is found again by its people", async () => {
    const [ann, bob] = [await createPhone(), await createPhone()];
    const write = (from: string, body: object) => call(`POST /simulator/phones/${from}/messages`, body);
    const first = await write(ann, { to: account.line, also_to: [bob], text: "hi" });
    const again = await write(bob, { to: account.line, also_to: [ann, account.line], text: "ho" });
    const byChat = await write(bob, { to: first.body.chat_id, text: "hey" });
    expect([again.body.chat_id, byChat.body.chat_id]).toEqual([first.body.chat_id, first.body.chat_id]);
    expect((await phoneOf(ann)).messages.map((message) => message.from)).toEqual([bob, bob, ann]);
  });

  test("writes into a group the partner opened, before and after its first message", async () => {
    const [ann, bob] = [await createPhone({ delay_ms: 0 }), await createPhone()];
    for (const handle of [ann, bob]) {
      await call(`POST /simulator/phones/${handle}/messages`, { to: account.line, text: "hi" });
    }
    const message = { parts: [{ type: "text", value: "welcome" }] };
    const { body } = await call("POST /v3/chats", { from: account.line, to: [ann, bob], message });
    const wrote = await call(`POST /simulator/phones/${ann}/messages`, { to: body.chat.id, text: "thanks" });
    expect(wrote.body.chat_id).toBe(body.chat.id);
    await untilStatus(account, body.chat.message.id, "sent");
    await until(async () =>
      (await phoneOf(ann)).messages.find(
        ({ id, delivered_at }) => id === body.chat.message.id && delivered_at,
      ),
    );
    const read = await call(`POST /simulator/phones/${ann}/read`, { chat_id: body.chat.id });
    expect(read.body.messages).toBe(1);
  });

  test("has nothing to write or read where it is not", async () => {
    const [ann, bob] = [await createPhone(), await createPhone()];
    const wrote = await call(`POST /simulator/phones/${ann}/messages`, { to: account.line, text: "hi" });
    const other = await createTestAccount({ type: "sandbox" });
    const codes = await Promise.all(
      [
        call(`POST /simulator/phones/${bob}/read`, { chat_id: wrote.body.chat_id }),
        call(`POST /simulator/phones/${newHandle()}/messages`, { to: account.line, text: "hi" }),
        call(`POST /simulator/phones/${ann}/messages`, { to: other.line, text: "hi" }),
        call(`POST /simulator/phones/${ann}/messages`, { to: crypto.randomUUID(), text: "hi" }),
        callApi(`POST /simulator/phones/${ann}/messages`, {
          token: other.token,
          body: { to: wrote.body.chat_id, text: "hi" },
        }),
      ].map(async (answer) => (await answer).body.error.code),
    );
    expect(codes).toEqual([1005, 1005, 2006, 2001, 1005]);
  });
});

describe("a line", () => {
  test("that is down holds what is sent, hears nothing, and goes on when it is up", async () => {
    const handle = await createPhone({ delay_ms: 0 });
    const write = () => call(`POST /simulator/phones/${handle}/messages`, { to: account.line, text: "hi" });
    await write();
    const down = await call(`PUT /simulator/lines/${account.line}`, { is_up: false });
    expect(down).toMatchObject({ status: 200, body: { phone_number: account.line, is_up: false } });

    const { messageId } = await account.sendFirst(handle);
    await untilStatus(account, messageId, "queued");
    expect((await write()).body.error.code).toBe(2015);

    await call(`PUT /simulator/lines/${account.line}`, { is_up: true });
    await untilStatus(account, messageId, "delivered");
  });

  test("that is flagged refuses what is sent with 2027 until it is cleared, and stays up", async () => {
    const handle = await createPhone({ delay_ms: 0 });
    await call(`POST /simulator/phones/${handle}/messages`, { to: account.line, text: "hi" });
    const { chatId } = await account.sendFirst(handle);
    const send = () =>
      call(`POST /v3/chats/${chatId}/messages`, { message: { parts: [{ type: "text", value: "again" }] } });

    const flagged = await call(`PUT /simulator/lines/${account.line}`, { status: "FLAGGED" });
    expect(flagged.body).toMatchObject({ phone_number: account.line, is_up: true, status: "FLAGGED" });
    const refused = await send();
    expect([refused.status, refused.body.error.code]).toEqual([403, 2027]);

    const cleared = await call(`PUT /simulator/lines/${account.line}`, { status: "ACTIVE", is_up: true });
    expect(cleared.body).toMatchObject({ phone_number: account.line, is_up: true, status: "ACTIVE" });
    expect((await send()).status).toBe(202);
  });

  test.each([
    [{}, 1003],
    [{ status: "BROKEN" }, 1005],
    // An explicit null counts as absent (docs/contract.md, section 1.2).
    [{ is_up: null }, 1003],
  ])("is not changed by %j", async (body, code) => {
    const answer = await call(`PUT /simulator/lines/${account.line}`, body);
    expect([answer.status, answer.body.error.code]).toEqual([400, code]);
  });

  test("of another account cannot be touched", async () => {
    const other = await createTestAccount({ type: "sandbox" });
    const { status, body } = await call(`PUT /simulator/lines/${other.line}`, { is_up: false });
    expect([status, body.error.code]).toEqual([403, 2006]);
  });
});

test("the clock is out of reach without CLOCK_CONTROL", async () => {
  for (const answer of [
    await call("GET /simulator/clock"),
    await call("PUT /simulator/clock", { advance_seconds: 60 }),
  ]) {
    expect([answer.status, answer.body.error.code]).toEqual([403, 2011]);
  }
});
