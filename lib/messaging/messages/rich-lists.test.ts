import "@/lib/testing/use-test-database";

import { beforeAll, describe, expect, test } from "vitest";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { countStatements } from "@/lib/testing/database/count-statements";
import { createTestPhone, writeAs } from "@/lib/testing/factories";
import { sampleImage, sampleWav } from "@/lib/testing/samples/file-samples";
import { createTestGroup } from "@/lib/testing/test-chats";

let account: TestAccount;
let chatId: string;
let first: string;

const ROUNDS = 3;

const call = (what: `${string} ${string}`, body?: object) => callApi(what, { token: account.token, body });

async function ok(what: `${string} ${string}`, body?: object) {
  const answer = await call(what, body);
  expect([what, answer.status]).toEqual([what, expect.toSatisfy((status: number) => status < 300)]);
  return answer.body;
}

/**
 * Creates one of everything a chat can show: text with a mention, edits, reactions, stickers, files, polls, replies.
 */
async function tellAll(phones: string[]): Promise<void> {
  const [ann = "", bob = ""] = phones;
  const image = {
    type: "media",
    data: (await sampleImage("png")).toString("base64"),
    filename: "a.png",
  } as const;
  const memo = { ...image, data: sampleWav(300).toString("base64"), filename: "a.wav", voice_memo: true };
  const mention = { type: "text", value: "@bob", mentions: [{ handle: bob, range: [0, 4] }] };
  const { messageId } = await writeAs(account, ann, {
    to: chatId,
    parts: [{ type: "text", value: "before" }, image],
  });
  await ok(`POST /simulator/phones/${ann}/messages`, { to: chatId, parts: [mention] });
  await ok(`POST /simulator/phones/${ann}/messages`, { to: chatId, parts: [memo] });
  await ok(`POST /simulator/phones/${ann}/edits`, { message_id: messageId, text: "after" });
  await ok(`POST /simulator/phones/${bob}/reactions`, { message_id: messageId, type: "love" });
  const sticker = { message_id: messageId, type: "sticker", sticker: image };
  await ok(`POST /simulator/phones/${bob}/reactions`, sticker);
  await ok(`POST /v3/messages/${messageId}/reactions`, { operation: "add", type: "like" });
  for (const message_id of [first, messageId]) {
    await ok(`POST /v3/chats/${chatId}/messages`, {
      message: { parts: [{ type: "text", value: "an answer" }], reply_to: { message_id, part_index: 0 } },
    });
  }
  const poll = { options: [{ text: "yes" }, { text: "no" }] };
  const asked = await ok(`POST /simulator/phones/${ann}/messages`, {
    to: chatId,
    parts: [{ type: "poll", ...poll }],
  });
  const { poll: shown } = await ok(`GET /v3/messages/${asked.message_id}/poll`);
  const vote = { message_id: asked.message_id, option_id: shown.options[0].option_id };
  await ok(`POST /simulator/phones/${bob}/votes`, vote);
  await ok(`POST /v3/chats/${chatId}/polls`, { poll });
}

beforeAll(async () => {
  account = await createTestAccount({ type: "sandbox" });
  const group = await createTestGroup(account, 3);
  chatId = group.chatId;
  for (const phone of group.phones) {
    first = (await writeAs(account, phone, { to: chatId, text: "hello all" })).messageId;
  }
  for (let round = 0; round < ROUNDS; round++) await tellAll(group.phones);
  for (let chats = 0; chats < 12; chats++) {
    await writeAs(account, await createTestPhone(account), { to: account.line, text: "another chat" });
  }
});

describe.each([
  ["messages", () => `/v3/chats/${chatId}/messages`, "messages"],
  ["a thread", () => `/v3/messages/${first}/thread`, "messages"],
  [
    "a thread asked for by a reply, newest first",
    () => `/v3/messages/${first}/thread?order=desc`,
    "messages",
  ],
  ["chats", () => "/v3/chats", "chats"],
])("a list of %s", (_, path, key) => {
  const page = (limit: number) => call(`GET ${path()}${path().includes("?") ? "&" : "?"}limit=${limit}`);

  test.each([1, 3, 100])(
    "takes three statements at most with %i a page, authentication included",
    async (limit) => {
      await page(limit);

      expect(await countStatements(() => page(limit))).toBeLessThanOrEqual(3);

      expect((await page(limit)).body[key].length).toBeGreaterThan(Math.min(limit, 2) - 1);
    },
  );

  test("goes on with as many statements", async () => {
    const { body } = await page(1);
    const cursor = `cursor=${body.next_cursor}`;
    const next = () => call(`GET ${path()}${path().includes("?") ? "&" : "?"}limit=100&${cursor}`);

    expect(await countStatements(next)).toBeLessThanOrEqual(3);
    expect((await next()).body[key].length).toBeGreaterThan(1);
  });
});

test("the counted page did show files, reactions, stickers, edits, replies and voice memos", async () => {
  const { body } = await call(`GET /v3/chats/${chatId}/messages?limit=100`);
  const parts = body.messages.flatMap(({ parts: own }: { parts: object[] }) => own);
  const reactions = parts.flatMap((part: { reactions: { type: string }[] | null }) => part.reactions ?? []);
  const kinds = reactions.map(({ type }: { type: string }) => type);

  expect(body.messages.length).toBeGreaterThan(6 * ROUNDS);
  expect(parts).toContainEqual(expect.objectContaining({ type: "media", filename: "a.png" }));
  expect(parts).toContainEqual(expect.objectContaining({ type: "media", filename: "a.wav" }));
  expect(parts).toContainEqual(expect.objectContaining({ value: "after" }));
  expect(kinds).toContain("love");
  expect(kinds).toContain("sticker");
  expect(body.messages.filter(({ reply_to }: { reply_to: unknown }) => reply_to !== null)).toHaveLength(
    2 * ROUNDS,
  );
});
