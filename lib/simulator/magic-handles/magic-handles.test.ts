import "@/lib/testing/use-test-database";

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as magicPhones from "@/app/api/phones/magic-handles/route";
import { prisma } from "@/lib/platform/database/db";
import { baseUrl } from "@/lib/platform/env";
import { startWorker, type Worker } from "@/lib/runtime/worker/start-worker";
import { MAGIC_HANDLES } from "@/lib/simulator/magic-handles/magic-handles";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { recordStatements } from "@/lib/testing/database/record-statements";
import { acceptTestMessage, createDirectChat, createTestPhone, untilStatus } from "@/lib/testing/factories";
import { signInAs } from "@/lib/testing/sign-in/sign-in-as";
import { until } from "@/lib/testing/until";

let account: TestAccount;
let worker: Worker;

beforeAll(async () => {
  account = await createTestAccount({ type: "sandbox" });
  worker = await startWorker();
});

afterAll(() => worker.stop());

const call = (what: `${string} ${string}`, body?: object) => callApi(what, { token: account.token, body });

function magic(behavior: string): string {
  const found = MAGIC_HANDLES.find((phone) => phone.behavior === behavior);
  if (found === undefined) throw new Error(`no magic handle ${behavior}`);
  return found.handle;
}

const text = (value: string) => ({ parts: [{ type: "text", value }] });

/** The texts that phones sent into a chat, oldest first. */
async function inbound(chatId: string): Promise<string[]> {
  const { body } = await call(`GET /v3/chats/${chatId}/messages`);
  return body.messages
    .filter((message: { is_from_me: boolean }) => !message.is_from_me)
    .map((message: { parts: { value: string }[] }) => message.parts[0]?.value);
}

test("every magic handle is listed with its number, and so are the kinds of lines", async () => {
  const { status, body } = await call("GET /simulator/handles");
  expect(status).toBe(200);
  expect(body.handles.map(({ handle }: { handle: string }) => handle)).toEqual(
    MAGIC_HANDLES.map(({ handle }) => handle),
  );
  for (const { handle } of body.handles) expect(handle).toMatch(/^\+150055501\d\d$/);
  expect(body.lines.map(({ kind }: { kind: string }) => kind)).toContain("flagged_at_tenth_send");
});

describe("the phone of a magic handle on the Phones page", () => {
  test("is added with its behavior, and an existing phone stays the same", async () => {
    const own = await createTestAccount({ type: "sandbox" });
    const user = await signInAs(own, "admin");
    const add = (handle: string) => user.call(magicPhones.POST, { method: "POST", body: { handle } });
    const { status, body } = await add(magic("echoes"));
    expect(status).toBe(201);
    expect(body).toMatchObject({ handle: magic("echoes"), name: "Echoes", read_after_ms: 0 });
    const { chatId } = await own.sendFirst(magic("echoes"), text("ping"));
    await until(async () => {
      const { body: chat } = await callApi(`GET /v3/chats/${chatId}/messages`, { token: own.token });
      return chat.messages.length === 2;
    });

    await callApi("POST /simulator/phones", {
      token: own.token,
      body: { handle: magic("echoes"), name: "Mine" },
    });
    expect((await add(magic("echoes"))).body.name).toBe("Mine");
  });

  test("of another number is refused", async () => {
    const user = await signInAs(account, "admin");
    const answer = await user.call(magicPhones.POST, { method: "POST", body: { handle: "+15005550199" } });
    expect(answer.status).toBe(404);
  });
});

describe("a message to a magic handle that never wrote", () => {
  test.each([
    ["delivers", "read"],
    ["never_reads", "delivered"],
    ["sms_only", "sent"],
    ["rcs_only", "delivered"],
    ["fails", "failed"],
    ["refuses_cards", "delivered"],
  ])("%s: becomes %s", async (behavior, status) => {
    const { messageId } = await account.sendFirst(magic(behavior));
    await untilStatus(account, messageId, status);
  });

  test.each([
    ["fails", 4001],
    ["times_out", 4006],
  ])("%s: message.failed has the code %i", async (behavior, code) => {
    const { messageId } = await account.sendFirst(magic(behavior), text(`to ${behavior}`));
    const { body } = await call(`GET /simulator/events?type=message.failed&contains=${messageId}&timeout=30`);
    expect(body.events[0].data.code).toBe(code);
  });

  test("unreachable: stays queued and is retried", async () => {
    const { messageId } = await account.sendFirst(magic("unreachable"));
    await untilStatus(account, messageId, "queued");
  });

  test("replies and echoes come back, each once", async () => {
    const echo = await account.sendFirst(magic("echoes"), text("ping"));
    const reply = await account.sendFirst(magic("replies"), text("anyone there?"));
    await until(
      async () => (await inbound(echo.chatId)).length > 0 && (await inbound(reply.chatId)).length > 0,
    );
    expect(await inbound(echo.chatId)).toEqual(["ping"]);
    expect(await inbound(reply.chatId)).toEqual(["Thanks, got your message!"]);
  });

  test("answers STOP: the next message is refused with 2024", async () => {
    const { chatId } = await account.sendFirst(magic("answers_stop"));
    await until(async () => (await inbound(chatId)).includes("STOP"));
    const refused = await call(`POST /v3/chats/${chatId}/messages`, { message: text("again") });
    expect(refused.body.error.code).toBe(2024);
  });

  test("changes service: the first message is an iMessage, the next an SMS", async () => {
    const { chatId, messageId } = await account.sendFirst(magic("changes_service"));
    expect((await untilStatus(account, messageId, "read")).service).toBe("iMessage");
    const next = await acceptTestMessage(account, chatId, "again");
    expect((await untilStatus(account, next, "sent")).service).toBe("SMS");
  });

  test("works on the best line too", async () => {
    const body = { to: [magic("delivers")], message: text("hello") };
    expect((await call("POST /v3/messages", body)).status).toBe(202);
  });

  test("is refused in no production account as a sandbox would", async () => {
    const production = await createTestAccount({ type: "production" });
    await production.sendFirst(magic("echoes"));
    expect(await prisma().simulatorPhone.count({ where: { accountId: production.ref.id } })).toBe(0);
  });
});

describe("a payment with a magic handle", () => {
  const requestPayment = async () =>
    (await call("POST /v3/payment_requests", { amount: 4200, currency: "usd", description: "Dinner" })).body;
  const statusOf = async (id: string) => (await call(`GET /v3/payment_requests/${id}`)).body.status;
  const link = (url: string) => ({ parts: [{ type: "link", value: url }] });

  test("pays: a checkout link is paid when the phone reads the message", async () => {
    const { id, checkout_url } = await requestPayment();
    const { messageId } = await account.sendFirst(magic("pays"), link(checkout_url));
    const { body } = await call(`GET /simulator/events?type=payment.succeeded&contains=${id}&timeout=30`);
    expect(body.events[0].data.id).toBe(id);
    expect(await statusOf(id)).toBe("succeeded");
    await untilStatus(account, messageId, "read");
  });

  test("pays: a link in a text is paid, and a canceled request and a link of another account are not", async () => {
    const canceled = await requestPayment();
    await call(`POST /v3/payment_requests/${canceled.id}/cancel`);
    const other = await createTestAccount({ type: "sandbox" });
    const foreign = await callApi("POST /v3/payment_requests", {
      token: other.token,
      body: { amount: 100, currency: "usd" },
    });
    const { id, checkout_url } = await requestPayment();
    const urls = [canceled.checkout_url, foreign.body.checkout_url, checkout_url].join(" and ");
    const { messageId } = await account.sendFirst(magic("pays"), text(`Choose: ${urls}`));
    const { body } = await call(`GET /simulator/events?type=payment.succeeded&contains=${id}&timeout=30`);
    expect(body.events).toHaveLength(1);
    await untilStatus(account, messageId, "read");
    expect(await statusOf(canceled.id)).toBe("canceled");
    const read = await callApi(`GET /v3/payment_requests/${foreign.body.id}`, { token: other.token });
    expect(read.body.status).toBe("requested");
  });

  test("declines: the card is declined and the request stays open", async () => {
    const { id, checkout_url } = await requestPayment();
    const { messageId } = await account.sendFirst(magic("declines"), link(checkout_url));
    await untilStatus(account, messageId, "read");
    await until(async () => {
      const declined = await prisma().event.count({
        where: { accountId: account.ref.id, type: "payment_request.declined" },
      });
      return declined > 0;
    });
    expect(await statusOf(id)).toBe("requested");
  });

  /** Connects the handle with the code that the person replies. */
  async function connect(handle: string): Promise<string> {
    const { body } = await call(`POST /v3/payments/handles/${handle}/connect`);
    const events = await call(
      `GET /simulator/events?type=message.received&contains=${encodeURIComponent(handle)}&timeout=30`,
    );
    const received = events.body.events[0].data;
    const code = received.parts[0].value;
    expect(code).toMatch(/^\d{6}$/);
    const verified = await call(`POST /v3/payments/handles/${handle}/verify`, {
      code,
      connect_id: body.connect_id,
    });
    expect(verified.body.status).toBe("connected");
    return received.chat.id;
  }

  const pay = (handle: string) => call("POST /v3/payments", { amount_cents: 4200, currency: "usd", handle });

  test("approves: connects, adds a card and a passkey, and approves this payment and the next", async () => {
    const handle = magic("approves");
    const chatId = await connect(handle);
    const { attach_url } = (await pay(handle)).body;
    await call(`POST /v3/chats/${chatId}/messages`, { message: text(`Add a card: ${attach_url}`) });
    await until(async () => (await pay(handle)).body.status === "ready");
    const { id } = (await pay(handle)).body;
    await call(`POST /v3/payments/${id}/cancel`);

    await call("POST /v3/payments", { amount_cents: 20_000, currency: "usd", handle });
    const { approval_url } = (
      await call("POST /v3/payments", { amount_cents: 20_000, currency: "usd", handle })
    ).body;
    expect(approval_url).toContain("/wallet/approve/");
    await call(`POST /v3/chats/${chatId}/messages`, { message: link(approval_url) });
    await until(async () => {
      const { body } = await call("POST /v3/payments", { amount_cents: 20_000, currency: "usd", handle });
      return body.status === "ready";
    });
  });

  test("denies: gives the code, and replies that it does not approve the payment", async () => {
    const handle = magic("denies");
    const chatId = await connect(handle);
    const { attach_url } = (await pay(handle)).body;
    await call(`POST /v3/chats/${chatId}/messages`, { message: link(attach_url) });
    await until(async () => (await inbound(chatId)).includes("No, I don't approve this payment."));
    expect((await pay(handle)).body).toMatchObject({ status: "awaiting_user_action" });
  });

  test("an unknown wallet link ends the attempt, and the message is read", async () => {
    const { messageId } = await account.sendFirst(
      magic("approves"),
      text(`Approve: ${baseUrl()}/wallet/approve/none`),
    );
    await untilStatus(account, messageId, "read");
    await until(async () => {
      const row = await prisma().simulatorMessage.findFirstOrThrow({ where: { ref: messageId } });
      return row.dueAt === null && row.readAt !== null;
    });
  });
});

test("a card to a phone that refuses cards fails with 4005", async () => {
  const { chatId } = await account.sendFirst(magic("refuses_cards"));
  const card = {
    type: "imessage_app",
    app: { name: "Tic Tac Toe", team_id: "ABCDE12345", bundle_id: "com.example.game" },
    layout: { caption: "Your move" },
    url: "https://example.com/game",
    fallback_text: "Your move",
  };
  const sent = await call(`POST /v3/chats/${chatId}/messages`, { message: { parts: [card] } });
  expect(sent.status).toBe(202);
  const id = sent.body.message.id;
  const { body } = await call(`GET /simulator/events?type=message.failed&contains=${id}&timeout=30`);
  expect(body.events[0].data.code).toBe(4005);
});

test("a created phone replaces the behavior of its magic handle", async () => {
  const handle = magic("echoes");
  const other = await createTestAccount({ type: "sandbox" });
  const create = { handle, delay_ms: 0, read_after_ms: 0 };
  await callApi("POST /simulator/phones", { token: other.token, body: create });
  const { messageId } = await other.sendFirst(handle);
  await untilStatus(other, messageId, "read");
  expect(await prisma().message.count({ where: { accountId: other.ref.id, isFromMe: false } })).toBe(0);
});

describe("a simulated line", () => {
  async function createLine(body?: object): Promise<string> {
    const answer = await call("POST /simulator/lines", body);
    expect(answer.status).toBe(201);
    return answer.body.phone_number;
  }

  test.each([
    ["at_risk", "AT_RISK"],
    ["critical", "CRITICAL"],
    ["healthy", "HEALTHY"],
  ])("of the kind %s has the reputation %s", async (kind, reputation) => {
    const phoneNumber = await createLine({ kind });
    const row = await prisma().line.findFirstOrThrow({ where: { phoneNumber } });
    expect(row).toMatchObject({
      accountId: account.ref.id,
      reputation,
      status: "ACTIVE",
      transport: "simulator",
    });
  });

  test("of the kind flagged_at_tenth_send is flagged by its tenth message", async () => {
    const own = await createTestAccount({ type: "sandbox" });
    const as = (what: `${string} ${string}`, body?: object) => callApi(what, { token: own.token, body });
    const line = (await as("POST /simulator/lines", { kind: "flagged_at_tenth_send" })).body.phone_number;
    const phone = await createTestPhone(own);
    const wrote = await as(`POST /simulator/phones/${phone}/messages`, { to: line, text: "hi" });
    const chatId = wrote.body.chat_id;
    for (let sent = 1; sent <= 10; sent++) {
      const row = await prisma().line.findFirstOrThrow({ where: { phoneNumber: line } });
      expect([sent, row.status]).toEqual([sent, "ACTIVE"]);
      await untilStatus(own, await acceptTestMessage(own, chatId, `message ${sent}`), "delivered");
    }
    await until(
      async () => (await prisma().line.findFirst({ where: { phoneNumber: line } }))?.status === "FLAGGED",
    );
    const refused = await as(`POST /v3/chats/${chatId}/messages`, { message: text("eleventh") });
    expect(refused.body.error.code).toBe(2027);
  });

  test("can have a chosen number, and none that is in use or reserved", async () => {
    const number = await createLine({ phone_number: "+12025550999" });
    const codes = [];
    for (const phone_number of [number, magic("delivers")]) {
      codes.push((await call("POST /simulator/lines", { phone_number })).body.error.code);
    }
    expect(codes).toEqual([2015, 2015]);
    expect((await call("POST /simulator/lines", { kind: "broken" })).status).toBe(400);
  });
});

test("a send to any other number runs no statement for magic handles", async () => {
  const chatId = await createDirectChat(account, await createTestPhone(account));
  const statements = await recordStatements(() =>
    call(`POST /v3/chats/${chatId}/messages`, { message: text("hi") }),
  );
  expect(JSON.stringify(statements)).not.toContain("insert into simulator_phones");
});
