import "@/lib/testing/use-test-database";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { allTransports } from "@/lib/adapters/transports/registry";
import { registerAppClip } from "@/lib/identity/accounts/register-app-clip";
import { startDispatch } from "@/lib/messaging/dispatch/dispatch-messages";
import { sql } from "@/lib/platform/database/db";
import { inboundSink } from "@/lib/runtime/wiring/inbound-sink";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import {
  changeTestPhone,
  createDirectChat,
  createTestPhone,
  eventsOfMessage,
  untilStatus,
  writeAs,
} from "@/lib/testing/factories";

let account: TestAccount;
let running: { stop(): Promise<void> }[] = [];

beforeAll(async () => {
  account = await createTestAccount({ type: "sandbox" });
  await registerAppClip(account.context(), {
    body: { name: "Coffee", url_prefix: "https://clip.example.com/" },
  });
  running = allTransports().flatMap((transport) => transport.start?.(inboundSink) ?? []);
  running.push(startDispatch(5000));
});

afterAll(() => Promise.all(running.map((part) => part.stop())));

const app = { bundle_id: "com.example.game", name: "Game", team_id: "ABCDE12345" };
const card = { type: "imessage_app", app, layout: { caption: "Your move" }, url: "https://game.example/1" };

async function send(chatId: string, message: object): Promise<string> {
  const { status, body } = await callApi(`POST /v3/chats/${chatId}/messages`, {
    token: account.token,
    body: { message },
  });
  expect([status, body.error]).toEqual([202, undefined]);
  return body.message.id;
}

function update(messageId: string, body: object) {
  return callApi(`POST /v3/messages/${messageId}/update`, { token: account.token, body });
}

/** The parts of a message as a phone received them. */
async function receivedParts(handle: string, messageId: string) {
  const [row] = await sql.runText<{ parts: Record<string, unknown>[]; service: string }>({
    text: "select parts, service from simulator_messages where account_id = $1 and handle = $2 and ref = $3",
    values: [account.ref.id, handle, messageId],
  });
  return row;
}

async function chatWith(platform: "iphone" | "android_rcs" | "sms_only" = "iphone") {
  const phone = await createTestPhone(account, { platform });
  return { phone, chatId: await createDirectChat(account, phone) };
}

describe("what a phone gets", () => {
  test.each<[string, object, object]>([
    ["a link card", { type: "link", value: "https://a.example" }, { type: "link", url: "https://a.example" }],
    [
      "an app clip",
      { type: "app_clip", value: "https://clip.example.com/7" },
      { type: "app_clip", url: "https://clip.example.com/7" },
    ],
    [
      "an app card",
      card,
      {
        type: "app_card",
        app: { bundleId: app.bundle_id, teamId: app.team_id },
        layout: card.layout,
        fallbackText: "Your move",
        interactive: true,
        replaces: null,
      },
    ],
  ])("over iMessage: %s", async (_, part, expected) => {
    const { phone, chatId } = await chatWith();
    const id = await send(chatId, { parts: [part] });
    await untilStatus(account, id, "delivered");
    expect(await receivedParts(phone, id)).toMatchObject({ service: "iMessage", parts: [expected] });
  });

  test.each([
    ["android_rcs", "RCS"],
    ["sms_only", "SMS"],
  ] as const)(
    "a %s phone gets a link as text, and text without decorations, over %s",
    async (platform, service) => {
      const { phone, chatId } = await chatWith(platform);
      const link = await send(chatId, { parts: [{ type: "link", value: "https://a.example" }] });
      const text = await send(chatId, {
        parts: [{ type: "text", value: "hello", text_decorations: [{ range: [0, 5], style: "bold" }] }],
      });
      await untilStatus(account, text, service === "SMS" ? "sent" : "delivered");
      const plain = { type: "text", decorations: [], mentions: [], stickers: [] };
      expect(await receivedParts(phone, link)).toEqual({
        service,
        parts: [{ ...plain, value: "https://a.example" }],
      });
      expect(await receivedParts(phone, text)).toEqual({ service, parts: [{ ...plain, value: "hello" }] });
    },
  );

  test("mentions in a group, as they were laid over the text", async () => {
    const { phone } = await chatWith();
    const { phone: other } = await chatWith();
    const { chatId } = await writeAs(account, phone, { to: account.line, also_to: [other], text: "all" });
    const id = await send(chatId, {
      parts: [{ type: "text", value: "👋 Ann", mention: phone, mention_range: [3, 6] }],
    });
    await untilStatus(account, id, "sent");
    expect(await receivedParts(other, id)).toMatchObject({
      parts: [{ mentions: [{ handle: phone, range: [3, 6] }] }],
    });
  });

  test("a card is not delivered to a phone that lost iMessage since: message.failed 4005", async () => {
    const { phone, chatId } = await chatWith();
    await Promise.all(running.splice(0).map((part) => part.stop()));
    const id = await send(chatId, { parts: [card] });
    await changeTestPhone(account, phone, { platform: "android_rcs", delay_ms: 0 });
    running = allTransports().flatMap((transport) => transport.start?.(inboundSink) ?? []);
    running.push(startDispatch(5000));

    await untilStatus(account, id, "failed");
    const [event] = await eventsOfMessage(account, id);
    expect(event).toMatchObject({ type: "message.failed", data: { failure: { code: 4005 } } });
    expect(await receivedParts(phone, id)).toBeUndefined();
  });
});

describe("updating a card", () => {
  test("a message of its own takes the card's place on the phone; the app stays, interactive is not inherited", async () => {
    const { phone, chatId } = await chatWith();
    const first = await send(chatId, { parts: [{ ...card, interactive: false }] });
    await untilStatus(account, first, "delivered");

    const { status, body } = await update(first, { layout: { caption: "My move" }, fallback_text: "Chess" });
    expect(status).toBe(202);
    expect(body).toMatchObject({
      chat_id: chatId,
      message: { parts: [{ app, layout: { caption: "My move" }, url: "" }] },
    });
    expect(body.message.id).not.toBe(first);
    await untilStatus(account, body.message.id, "delivered");
    expect(await receivedParts(phone, body.message.id)).toMatchObject({
      parts: [{ replaces: first, interactive: true, layout: { caption: "My move" }, fallbackText: "Chess" }],
    });
  });

  test("the app may be given, and takes the place of the original's", async () => {
    const { chatId } = await chatWith();
    const first = await send(chatId, { parts: [card] });
    await untilStatus(account, first, "delivered");
    const other = { ...app, name: "Checkers" };
    const { status, body } = await update(first, { app: other, layout: { caption: "New rules" } });
    expect([status, body.message.parts[0].app]).toEqual([202, other]);
    const wrong = await update(first, { app: { ...other, team_id: undefined }, layout: { caption: "x" } });
    expect([wrong.status, wrong.body.error.code]).toEqual([400, 1008]);
  });

  test("refused: no card 400, another sender's card 400, a card not yet delivered 409/2015, a bad layout 1008, unknown 2002", async () => {
    const { phone, chatId } = await chatWith();
    const layout = { caption: "x" };
    const codeOf = async (id: string, body: object = { layout }) => {
      const answer = await update(id, body);
      return [answer.status, answer.body.error.code];
    };
    const text = await send(chatId, { parts: [{ type: "text", value: "hi" }] });
    await untilStatus(account, text, "delivered");
    expect(await codeOf(text)).toEqual([400, 1005]);
    const theirs = await writeAs(account, phone, {
      to: chatId,
      parts: [{ type: "imessage_app", app, layout }],
    });
    expect(await codeOf(theirs.messageId)).toEqual([400, 1005]);
    await changeTestPhone(account, phone, { delay_ms: 60_000 });
    const early = await send(chatId, { parts: [card] });
    expect(await codeOf(early)).toEqual([409, 2015]);
    expect(await codeOf(early, { layout: {} })).toEqual([400, 1008]);
    expect(await codeOf(crypto.randomUUID())).toEqual([404, 2002]);
  });
});
