import "@/lib/testing/use-test-database";

import { beforeAll, describe, expect, test } from "vitest";
import { registerAppClip } from "@/lib/identity/accounts/register-app-clip";
import { updateAccountOptions } from "@/lib/identity/accounts/update-account-options";
import { prisma } from "@/lib/platform/database/db";
import { type ApiAnswer, callApi } from "@/lib/testing/call-api";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { createDirectChat, createTestPhone, writeAs } from "@/lib/testing/factories";
import { requestPayment } from "@/lib/testing/payments/payment-requests";

let account: TestAccount;
let member: string;
let direct: string;
let group: string;

beforeAll(async () => {
  account = await createTestAccount({ type: "sandbox" });
  member = await createTestPhone(account);
  const other = await createTestPhone(account);
  direct = await createDirectChat(account, member);
  await createDirectChat(account, other);
  ({ chatId: group } = await writeAs(account, member, { to: account.line, also_to: [other], text: "all" }));
});

function send(chatId: string, message: object): Promise<ApiAnswer> {
  return callApi(`POST /v3/chats/${chatId}/messages`, { token: account.token, body: { message } });
}

const card = {
  type: "imessage_app",
  app: { bundle_id: "com.example.game", name: "Game", team_id: "ABCDE12345" },
  layout: { caption: "Your move" },
  url: "https://game.example/1",
};
const text = (more: object = {}) => ({ type: "text", value: "Hello Ann", ...more });

describe("a part is answered as it is kept", () => {
  test("a link", async () => {
    const { body } = await send(direct, { parts: [{ type: "link", value: "https://example.com/a" }] });
    expect(body.message.parts).toEqual([{ type: "link", value: "https://example.com/a", reactions: null }]);
  });

  test("an app card prefers iMessage, and its fallback is the caption", async () => {
    const { status, body } = await send(direct, { parts: [card] });
    expect(status).toBe(202);
    expect(body.message).toMatchObject({
      preferred_service: "iMessage",
      parts: [{ ...card, fallback_text: "Your move" }],
    });
  });

  test("an app clip shows the name it was registered under", async () => {
    const admin = account.context();
    await registerAppClip(admin, {
      body: { name: "Coffee", url_prefix: "https://appclip.example.com/coffee" },
    });
    const value = "https://appclip.example.com/coffee?id=7";
    const { body } = await send(direct, { parts: [{ type: "app_clip", value }] });
    expect(body.message.parts).toEqual([{ type: "app_clip", value, title: "Coffee", reactions: null }]);
    const read = await callApi(`GET /v3/messages/${body.message.id}`, { token: account.token });
    expect(read.body.parts).toEqual(body.message.parts);
  });

  test.each([
    [4200, "isk", "Pay ISK 42.00"],
    [4200, "ugx", "Pay UGX 42.00"],
    [4200, "mga", "Pay MGA 4,200"],
    [4200, "jpy", "Pay ¥4,200"],
    [4200, "usd", "Pay $42.00"],
  ])("a checkout link asks for what the checkout asks for: %d %s", async (amount, currency, title) => {
    const { checkout_url: value } = await requestPayment(account, { amount, currency });
    const { body } = await send(direct, { parts: [{ type: "app_clip", value }] });
    expect(body.message.parts[0].title.replaceAll("\u00a0", " ")).toBe(title);
  });

  test("a checkout whose app clip is in review has links, which open it on the web", async () => {
    const { checkout_url: value } = await requestPayment(account);
    await updateAccountOptions(account.context(), { body: { checkout_clip: "in_review" } });
    const refused = await send(direct, { parts: [{ type: "app_clip", value }] });
    const link = await send(direct, { parts: [{ type: "link", value }] });
    await updateAccountOptions(account.context(), { body: { checkout_clip: "active" } });
    expect([refused.status, refused.body.error.code, link.status]).toEqual([400, 1009, 202]);
    expect(refused.body.error.message).toContain("link part");
    expect((await send(direct, { parts: [{ type: "app_clip", value }] })).status).toBe(202);
  });

  test("a checkout link of a request that has ended is refused, and a repeated key still returns its message", async () => {
    const { id, checkout_url: value } = await requestPayment(account);
    const parts = [{ type: "link", value }];
    const sent = await send(direct, { parts, idempotency_key: "linked before it ended" });
    await callApi(`POST /v3/payment_requests/${id}/cancel`, { token: account.token });

    for (const type of ["link", "app_clip"]) {
      const { status, body } = await send(direct, { parts: [{ type, value }] });
      expect([type, status, body.error.code]).toEqual([type, 409, 2015]);
      expect(body.error.message).toContain("canceled");
    }
    const repeated = await send(direct, { parts, idempotency_key: "linked before it ended" });
    expect([repeated.status, repeated.body.message.id]).toEqual([202, sent.body.message.id]);
  });

  test("an experience is a card of its own", async () => {
    const experience = {
      name: "link",
      action: "open",
      params: { url: "https://example.com/x", title: "Open me" },
    };
    const { body } = await send(direct, { experience });
    expect(body.message.parts).toMatchObject([
      { type: "imessage_app", layout: { caption: "Open me" }, url: "https://example.com/x" },
    ]);
  });

  test("mentions, single or several, in a group", async () => {
    const single = await send(group, { parts: [text({ mention: member, mention_range: [6, 9] })] });
    const mentions = [{ handle: member, is_me: false, range: [6, 9] }];
    expect(single.body.message.parts).toMatchObject([{ mentions, mention: member, mention_range: [6, 9] }]);
    const several = await send(group, { parts: [text({ mentions: [{ handle: member, range: [0, 5] }] })] });
    expect(several.body.message.parts).toMatchObject([{ mention: member, mention_range: [0, 5] }]);
  });
});

describe("refused", () => {
  const layout = { caption: "x" };
  test.each<[string, object, number, number]>([
    ["a link beside a text", { parts: [{ type: "link", value: "https://a.example" }, text()] }, 400, 1004],
    ["a card beside a text", { parts: [text(), card] }, 400, 1004],
    [
      "a link of 2,049 characters",
      { parts: [{ type: "link", value: `https://a.example/${"x".repeat(2031)}` }] },
      400,
      1004,
    ],
    ["a sticker beside a photo", { parts: [sticker(true), sticker(false)] }, 400, 1004],
    ["parts and an experience", { parts: [text()], experience: { name: "link", action: "open" } }, 400, 1004],
    ["neither parts nor an experience", {}, 400, 1001],
    ["a part without a type", { parts: [{ value: "hello" }] }, 400, 1001],
    ["a media part without a file", { parts: [{ type: "media" }] }, 400, 1001],
    ["a card without a layout", { parts: [{ ...card, layout: undefined }] }, 400, 1001],
    ["a card without an app", { parts: [{ ...card, app: undefined }] }, 400, 1001],
    ["an experience without its url", { experience: { name: "link", action: "open" } }, 400, 1001],
    [
      "a card without an app's name",
      { parts: [{ ...card, app: { ...card.app, name: undefined } }] },
      400,
      1008,
    ],
    [
      "a team_id in small letters",
      { parts: [{ ...card, app: { ...card.app, team_id: "abcde12345" } }] },
      400,
      1008,
    ],
    ["a bundle_id with ':'", { parts: [{ ...card, app: { ...card.app, bundle_id: "a:b" } }] }, 400, 1008],
    ["a card that shows nothing", { parts: [{ ...card, layout: {} }] }, 400, 1008],
    [
      "image_title without an image",
      { parts: [{ ...card, layout: { ...layout, image_title: "x" } }] },
      400,
      1008,
    ],
    [
      "a caption of 513 characters",
      { parts: [{ ...card, layout: { caption: "x".repeat(513) } }] },
      400,
      1008,
    ],
    ["a fallback of 1,025 characters", { parts: [{ ...card, fallback_text: "x".repeat(1025) }] }, 400, 1008],
    ["a card url of http", { parts: [{ ...card, url: "http://a.example" }] }, 400, 1008],
    [
      "a data url of 16,385 characters",
      { parts: [{ ...card, url: `data:,${"x".repeat(16_379)}` }] },
      400,
      1008,
    ],
    [
      "an app clip that is not registered",
      { parts: [{ type: "app_clip", value: "https://evil.example/" }] },
      400,
      1009,
    ],
    ["an app clip that is no URL", { parts: [{ type: "app_clip", value: "coffee" }] }, 400, 1009],
    ["a mention in a direct chat", { parts: [text({ mention: "+15550100101" })] }, 409, 2023],
    ["a card over SMS", { parts: [card], preferred_service: "SMS" }, 409, 2018],
    [
      "an experience over RCS",
      { experience: { name: "link", action: "open" }, preferred_service: "RCS" },
      409,
      2018,
    ],
    [
      "an app clip over SMS",
      { parts: [{ type: "app_clip", value: "https://a.example" }], preferred_service: "SMS" },
      409,
      2028,
    ],
    ["an unknown experience", { experience: { name: "magic", action: "open" } }, 400, 1005],
    [
      "a sticker from elsewhere",
      { parts: [text({ inline_stickers: [{ range: [0, 1], url: "https://a.example/s.png" }] })] },
      400,
      1004,
    ],
    [
      "a sticker that is not there",
      { parts: [text({ inline_stickers: [{ range: [0, 1], attachment_id: crypto.randomUUID() }] })] },
      404,
      2003,
    ],
  ])("%s", async (_, message, status, code) => {
    const before = await prisma().message.count({ where: { chatId: direct } });
    const answer = await send(direct, message);
    expect([answer.status, answer.body.error?.code]).toEqual([status, code]);
    expect(await prisma().message.count({ where: { chatId: direct } })).toBe(before);
  });

  test("a mention of a person outside the group: 409/2015", async () => {
    const answer = await send(group, { parts: [text({ mention: "+15550199999" })] });
    expect([answer.status, answer.body.error.code]).toEqual([409, 2015]);
  });

  test("an experience in a group: 400/1005", async () => {
    const experience = { name: "link", action: "open", params: { url: "https://example.com" } };
    const answer = await send(group, { experience });
    expect([answer.status, answer.body.error.code]).toEqual([400, 1005]);
  });

  test("a card to who is known to have no iMessage: 422/4005; in a chat that goes over SMS: 409/2018", async () => {
    const android = await createTestPhone(account, { platform: "sms_only" });
    const chatId = await createDirectChat(account, android);
    const inChat = await send(chatId, { parts: [card] });
    expect([inChat.status, inChat.body.error.code]).toEqual([409, 2018]);
    await prisma().chat.updateMany({ where: { id: chatId }, data: { service: null } });
    const unknown = await send(chatId, { parts: [card] });
    expect([unknown.status, unknown.body.error.code]).toEqual([422, 4005]);
  });

  test("a card with an image in a chat without inbound messages: 403/4008", async () => {
    const phones = [await createTestPhone(account), await createTestPhone(account)];
    for (const phone of phones) await createDirectChat(account, phone);
    const parts = [{ ...card, layout: { image_url: "https://example.com/a.png" } }];
    const { status, body } = await callApi("POST /v3/chats", {
      token: account.token,
      body: { from: account.line, to: phones, message: { parts } },
    });
    expect([status, body.error.code]).toEqual([403, 4008]);
  });

  test("RCS is a preference: where it is off the send is accepted", async () => {
    await updateAccountOptions(account.context(), { body: { rcs: false } });
    const answer = await send(direct, { parts: [text()], preferred_service: "RCS" });
    await updateAccountOptions(account.context(), { body: { rcs: true } });
    expect([answer.status, answer.body.message.preferred_service]).toEqual([202, "RCS"]);
  });

  test("on an RCS line, RCS that is off is 503/4004, which is not to be repeated", async () => {
    const own = await createTestAccount({ type: "sandbox" });
    await prisma().line.updateMany({
      where: { accountId: own.ref.id },
      data: { lineType: "RCS", rcs: false },
    });
    const chatId = await createDirectChat(own, await createTestPhone(own, { platform: "android_rcs" }));
    const { status, body, headers } = await callApi(`POST /v3/chats/${chatId}/messages`, {
      token: own.token,
      body: { message: { parts: [text()], preferred_service: "RCS" } },
    });
    expect([status, body.error.code, headers.get("x-should-retry")]).toEqual([503, 4004, "false"]);
  });

  function sticker(isSticker: boolean) {
    return { type: "media", attachment_id: crypto.randomUUID(), sticker: isSticker };
  }
});
