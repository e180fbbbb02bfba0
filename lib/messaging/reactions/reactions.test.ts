import "@/lib/testing/use-test-database";

import { afterEach, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { setAttachmentTier } from "@/lib/attachments/retention/set-attachment-tier";
import { renderEvent } from "@/lib/events/catalog/render-event";
import { startActions } from "@/lib/messaging/actions/perform-actions";
import { startDispatch } from "@/lib/messaging/dispatch/dispatch-messages";
import { normalizeEmoji } from "@/lib/messaging/reactions/one-emoji";
import { listChatNotes } from "@/lib/messaging/team/list-chat-notes";
import { prisma } from "@/lib/platform/database/db";
import { callApi } from "@/lib/testing/call-api";
import { fetchFile } from "@/lib/testing/call-files";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { countStatements } from "@/lib/testing/database/count-statements";
import {
  acceptTestMessage,
  changeTestPhone,
  createDirectChat,
  createTestPhone,
  eventsOfMessage,
  untilStatus,
  writeAs,
} from "@/lib/testing/factories";
import { listPhoneActions } from "@/lib/testing/phone-actions";
import { sampleImage } from "@/lib/testing/samples/file-samples";
import { untilDone } from "@/lib/testing/test-chats";
import { until } from "@/lib/testing/until";

let account: TestAccount;
let running: { stop(): Promise<void> }[] = [];

beforeAll(async () => {
  account = await createTestAccount({ type: "sandbox" });
});

afterEach(async () => {
  await Promise.all(running.map((part) => part.stop()));
  running = [];
});

const StickerEventData = z.looseObject({
  sticker: z.looseObject({ image: z.looseObject({ ephemeral: z.boolean() }) }),
});
const StickerShown = z.object({ sticker: z.object({ url: z.url() }) });

function react(messageId: string, body: object) {
  return callApi(`POST /v3/messages/${messageId}/reactions`, { token: account.token, body });
}

const add = (messageId: string, type: string, more = {}) =>
  react(messageId, { operation: "add", type, ...more });

function reactAs(phone: string, messageId: string, body: object) {
  const call = { token: account.token, body: { message_id: messageId, ...body } };
  return callApi(`POST /simulator/phones/${phone}/reactions`, call);
}

async function shownOn(messageId: string, part = 0) {
  const { body } = await callApi(`GET /v3/messages/${messageId}`, { token: account.token });
  return body.parts[part].reactions;
}

async function received() {
  const phone = await createTestPhone(account);
  const { chatId, messageId } = await writeAs(account, phone, { to: account.line, text: "hello" });
  return { phone, chatId, id: messageId };
}

async function typesOf(messageId: string) {
  return (await eventsOfMessage(account, messageId))
    .map(({ type }) => type)
    .filter((type) => /react/.test(type));
}

async function uploadImage(): Promise<string> {
  const phone = await createTestPhone(account);
  const data = (await sampleImage("png")).toString("base64");
  const parts = [{ type: "media" as const, data, filename: "cat.png" }];
  const { messageId } = await writeAs(account, phone, { to: account.line, parts });
  const { body } = await callApi(`GET /v3/messages/${messageId}`, { token: account.token });
  return body.parts[0].id;
}

test("a reaction is acknowledged, shown in its part and given on the phone", async () => {
  const { phone, id } = await received();
  const { status, body } = await add(id, "love");
  expect([status, body]).toEqual([
    202,
    { status: "accepted", message: "Reaction queued", trace_id: expect.any(String) },
  ]);
  const [shown] = await shownOn(id);
  expect(shown).toMatchObject({
    type: "love",
    is_me: true,
    handle: { handle: account.line },
    custom_emoji: null,
    sticker: null,
  });

  running.push(startActions());
  await until(async () => (await listPhoneActions(account, phone)).length === 1);
  expect(await listPhoneActions(account, phone)).toMatchObject([
    { do: "react", reactionId: shown.id, reaction: { type: "love" }, isRemoved: false, part: 0 },
  ]);
});

test("one of a person on a part: a second takes its place, a repeat changes nothing, a removal removes", async () => {
  const { phone, id } = await received();
  await add(id, "love");
  await add(id, "love");
  await add(id, "custom", { custom_emoji: "👩‍👩‍👧‍👦" });
  await reactAs(phone, id, { type: "laugh" });
  expect((await shownOn(id)).map(({ type }: { type: string }) => type)).toEqual(["custom", "laugh"]);

  await react(id, { operation: "remove", type: "custom" });
  await react(id, { operation: "remove", type: "like" });
  expect((await shownOn(id)).map(({ type }: { type: string }) => type)).toEqual(["laugh"]);
  await reactAs(phone, id, { type: "laugh", operation: "remove" });
  expect(await shownOn(id)).toBeNull();
  const [a, r] = ["reaction.added", "reaction.removed"];
  expect(await typesOf(id)).toEqual([a, r, a, a, r, r]);
});

test("one of a person's concurrent reactions remains", async () => {
  const { id } = await received();
  const types = ["love", "like", "dislike", "laugh", "emphasize", "question"];
  await Promise.all([...types, ...types].map((type) => add(id, type)));
  expect(await shownOn(id)).toHaveLength(1);
});

test("stickers lie beside each other, are brought within bounds, and move", async () => {
  const { phone, id } = await received();
  const attachment_id = await uploadImage();
  await add(id, "sticker", { attachment_id, placement: { x: 9, y: -9, scale: 99, rotation: 45 } });
  await add(id, "sticker", { emoji: "🎉" });
  const [photo, emoji] = await shownOn(id);
  expect(photo.sticker).toMatchObject({
    file_name: "cat.png",
    width: 24,
    height: 24,
    mime_type: "image/png",
  });
  expect(emoji).toMatchObject({ type: "sticker", custom_emoji: "🎉", sticker: null });

  const move = await callApi(`PATCH /v3/messages/${id}/reactions/${photo.id}`, {
    token: account.token,
    body: { placement: { x: 0.5, scale: 0 } },
  });
  expect([move.status, move.body.status]).toEqual([202, "accepted"]);
  running.push(startActions());
  await until(async () => (await listPhoneActions(account, phone)).length === 3);
  expect(await listPhoneActions(account, phone)).toMatchObject([
    { do: "react", reaction: { placement: { x: 1, y: -1, scale: 2.5, rotation: 45 } } },
    { do: "react", reaction: { emoji: "🎉", placement: { x: 0, y: 0, scale: 0.5, rotation: 0 } } },
    { do: "move_sticker", reactionId: photo.id, placement: { x: 0.5, y: -1, scale: 0.05, rotation: 45 } },
  ]);
});

test("a contact's sticker is stored with its image", async () => {
  const { phone, id } = await received();
  const data = (await sampleImage("png")).toString("base64");
  const sticker = { type: "media", data, filename: "star.png" };
  expect((await reactAs(phone, id, { type: "sticker", sticker })).status).toBe(201);
  const [shown] = await shownOn(id);
  expect(shown).toMatchObject({ is_me: false, sticker: { file_name: "star.png", width: 24 } });
  expect(await typesOf(id)).toEqual(["reaction.added"]);
});

test("a sticker whose file is deleted stays without its image", async () => {
  const { id } = await received();
  const [first, second] = [await uploadImage(), await uploadImage()];
  await add(id, "sticker", { attachment_id: first });
  await add(id, "sticker", { attachment_id: second });
  await callApi(`DELETE /v3/attachments/${first}`, { token: account.token });
  expect(await shownOn(id)).toMatchObject([
    { type: "sticker", sticker: null },
    { type: "sticker", sticker: { file_name: "cat.png" } },
  ]);
});

test("a sticker on the ephemeral tier opens by the address of its event; facts without a tier give a plain one", async () => {
  const ephemeral = await createTestAccount({ type: "sandbox" });
  await setAttachmentTier({ account: ephemeral.ref }, "ephemeral");
  const phone = await createTestPhone(ephemeral);
  const { messageId } = await writeAs(ephemeral, phone, { to: ephemeral.line, text: "hello" });
  const photo = await sampleImage("png");
  const sticker = { type: "media", data: photo.toString("base64"), filename: "star.png" };
  await callApi(`POST /simulator/phones/${phone}/reactions`, {
    token: ephemeral.token,
    body: { message_id: messageId, type: "sticker", sticker },
  });
  const event = await prisma().event.findFirstOrThrow({
    where: { accountId: ephemeral.ref.id, messageId, type: "reaction.added" },
  });
  const details = StickerEventData.parse(event.data);
  const urlIn = (data: unknown) =>
    StickerShown.parse(renderEvent({ ...event, data }, ephemeral.ref.partnerId, "2026-02-03").data).sticker
      .url;

  const url = urlIn(event.data);

  expect((await fetchFile(url)).status).toBe(200);
  const plain = url.replace(/\?.*/, "");
  expect((await fetchFile(plain)).status).toBe(404);
  const { ephemeral: tier, ...image } = details.sticker.image;
  expect(tier).toBe(true);
  expect(urlIn({ ...details, sticker: { ...details.sticker, image } })).toBe(plain);
});

test("a reaction that the phone's network refuses is removed again, with its event", async () => {
  const { phone, id } = await received();
  await changeTestPhone(account, phone, { fault: "rejected" });
  await add(id, "like");
  running.push(startActions());
  await until(async () => (await shownOn(id)) === null);
  expect(await typesOf(id)).toEqual(["reaction.added", "reaction.removed"]);
});

test("a sticker that cannot be moved and a reaction that cannot be taken back are noted", async () => {
  const { phone, chatId, id } = await received();
  running.push(startActions());
  await add(id, "like");
  await add(id, "sticker", { emoji: "🎉" });
  await untilDone(chatId);
  await changeTestPhone(account, phone, { fault: "rejected" });
  const sticker = (await shownOn(id)).find(({ type }: { type: string }) => type === "sticker");
  await callApi(`PATCH /v3/messages/${id}/reactions/${sticker.id}`, {
    token: account.token,
    body: { placement: { x: 0.5 } },
  });
  await react(id, { operation: "remove", type: "like" });
  await untilDone(chatId);

  const { notes } = await listChatNotes(account.context(), { params: { chatId } });
  expect(notes.map(({ text }) => text)).toEqual([
    "A sticker could not be moved (4007)",
    "A reaction could not be removed (4007)",
  ]);
});

test("a reaction to a message still on its way waits for it", async () => {
  const phone = await createTestPhone(account);
  const id = await acceptTestMessage(account, await createDirectChat(account, phone));
  await add(id, "question");
  running.push(startActions());
  await new Promise((resolve) => setImmediate(resolve));
  expect(await listPhoneActions(account, phone)).toEqual([]);
  running.push(startDispatch());
  await untilStatus(account, id, "sent");
  await until(async () => (await listPhoneActions(account, phone)).length === 1);
});

test("a list of messages with reactions takes three statements, however long it is", async () => {
  const { phone, chatId } = await received();
  for (let made = 0; made < 8; made++) {
    const { messageId } = await writeAs(account, phone, { to: chatId, text: `message ${made}` });
    await add(messageId, "love");
    await reactAs(phone, messageId, { type: "laugh" });
  }
  const list = (limit: number) =>
    callApi(`GET /v3/chats/${chatId}/messages?limit=${limit}`, { token: account.token });
  await list(1);
  for (const limit of [1, 8]) expect(await countStatements(() => list(limit))).toBeLessThanOrEqual(3);
  const { body } = await list(8);
  for (const message of body.messages) expect(message.parts[0].reactions).toHaveLength(2);
});

test("each refusal says why", async () => {
  const { id } = await received();
  const sms = await createTestPhone(account, { platform: "sms_only" });
  const text = await writeAs(account, sms, { to: account.line, text: "hi" });
  const moved = await received();
  await changeTestPhone(account, moved.phone, { platform: "sms_only" });
  const unknown = "01a00000-0000-7000-8000-000000000000";
  const refusals: [ReturnType<typeof react>, number, number][] = [
    [react(id, { operation: "add" }), 400, 1001],
    [add(id, "custom"), 400, 1001],
    [add(id, "sticker"), 400, 1001],
    [add(id, "custom", { custom_emoji: "🎉🎉" }), 400, 1005],
    [add(id, "custom", { custom_emoji: "ok" }), 400, 1005],
    [add(id, "adore"), 400, 1005],
    [add(id, "love", { part_index: 1 }), 400, 1005],
    [add(id, "sticker", { url: "https://example.com/cat.png" }), 400, 1005],
    [react(id, { operation: "remove", type: "sticker" }), 400, 1005],
    [add(id, "sticker", { attachment_id: unknown }), 404, 2003],
    [add(unknown, "love"), 404, 2002],
    [add(text.messageId, "love"), 409, 2017],
    [add(text.messageId, "sticker", { emoji: "🎉" }), 409, 2029],
    [add(moved.id, "sticker", { emoji: "🎉" }), 409, 2029],
    [
      callApi(`PATCH /v3/messages/${id}/reactions/${unknown}`, {
        token: account.token,
        body: { placement: {} },
      }),
      404,
      2002,
    ],
  ];
  for (const [answer, status, code] of refusals) {
    const { status: got, body } = await answer;
    expect([got, body.error?.code]).toEqual([status, code]);
  }
});

test.each([
  ["❤ with and without a selector", "\u2764\ufe0f", "\u2764", "\u2764\ufe0f"],
  ["❤ as text", "\u2764", "\u2764\ufe0e", "\u2764\ufe0f"],
  ["a tone with a selector", "\u270c\u{1f3fd}", "\u270c\ufe0f\u{1f3fd}", "\u270c\u{1f3fd}"],
  [
    "a tone and a selector at the end",
    "\u{1f44d}\u{1f3fd}\ufe0f",
    "\u{1f44d}\u{1f3fd}",
    "\u{1f44d}\u{1f3fd}",
  ],
  ["a keycap", "1\u20e3", "1\ufe0f\u20e3", "1\ufe0f\u20e3"],
  [
    "a sequence",
    "\u{1f3f3}\u200d\u{1f308}",
    "\u{1f3f3}\ufe0f\u200d\u{1f308}",
    "\u{1f3f3}\ufe0f\u200d\u{1f308}",
  ],
  [
    "a couple",
    "\u{1f469}\u200d\u2764\u200d\u{1f468}",
    "\u{1f469}\u200d\u2764\ufe0f\u200d\u{1f468}",
    "\u{1f469}\u200d\u2764\ufe0f\u200d\u{1f468}",
  ],
])("%s is one emoji for adding and removing", async (_, added, removed, shown) => {
  expect([normalizeEmoji(added), normalizeEmoji(removed)]).toEqual([shown, shown]);
  const { id } = await received();
  expect((await add(id, "custom", { custom_emoji: added })).status).toBe(202);
  expect((await shownOn(id)).map(({ custom_emoji }: { custom_emoji: string }) => custom_emoji)).toEqual([
    shown,
  ]);
  await react(id, { operation: "remove", type: "custom", custom_emoji: removed });
  expect(await shownOn(id)).toBeNull();
});
