import "@/lib/testing/use-test-database";

import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { renderEvent } from "@/lib/events/catalog/render-event";
import { listChatNotes } from "@/lib/messaging/team/list-chat-notes";
import { prisma, sql, transaction } from "@/lib/platform/database/db";
import { startWorker, type Worker } from "@/lib/runtime/worker/start-worker";
import { callApi } from "@/lib/testing/call-api";
import { fetchFile } from "@/lib/testing/call-files";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { untilLocked } from "@/lib/testing/database/until-locked";
import {
  acceptTestMessage,
  advanceClock,
  createDirectChat,
  createTestPhone,
  untilStatus,
} from "@/lib/testing/factories";
import { listPhoneActions } from "@/lib/testing/phone-actions";
import { sampleImage } from "@/lib/testing/samples/file-samples";
import { startFileServer } from "@/lib/testing/servers/start-file-server";
import { changesOf, createTestGroup, untilDone, waitingActions } from "@/lib/testing/test-chats";
import { until } from "@/lib/testing/until";

process.env.MEDIA_ALLOW_PRIVATE = "127.0.0.1";

let account: TestAccount;
let worker: Worker;
let png: Buffer;
let files: Awaited<ReturnType<typeof startFileServer>>;

beforeAll(async () => {
  account = await createTestAccount({ type: "sandbox" });
  png = await sampleImage("png");
  files = await startFileServer({ "/icon.png": png, "/page.png": Buffer.from("<html>not an image</html>") });
  worker = await startWorker();
});

beforeEach(() => knobs({ changes_fail: false, groups_wait: false }));

afterAll(async () => {
  await worker.stop();
  await files.close();
});

const call = (request: `${string} ${string}`, body?: object) =>
  callApi(request, { token: account.token, body });
const knobs = (state: object) => call(`PUT /simulator/lines/${encodeURIComponent(account.line)}`, state);
const put = (chatId: string, body: object) => call(`PUT /v3/chats/${chatId}`, body);
const setBackground = (chatId: string, body: object) => call(`POST /v3/chats/${chatId}/background`, body);
const share = (chatId: string) => call(`POST /v3/chats/${chatId}/share_contact_card`);
const notesOf = async (chatId: string) =>
  (await listChatNotes(account.context(), { params: { chatId } })).notes.map(({ text }) => text);
const codeOf = ({ status, body }: Awaited<ReturnType<typeof call>>) => [status, body?.error?.code];

async function rendered(chatId: string) {
  const rows = await changesOf(account, chatId);
  return rows.map(({ type, data }) => {
    const event = { id: crypto.randomUUID(), type, traceId: "0".repeat(32), createdAt: new Date(), data };
    return { type, data: renderEvent(event, account.ref.partnerId, "2026-02-03").data };
  });
}

describe("a group's name and icon", () => {
  test("are set on the phones, then shown and reported", async () => {
    const { chatId, first } = await createTestGroup(account, 2);
    const { status, body } = await put(chatId, {
      display_name: "Friday dinner",
      group_chat_icon: `${files.url}/icon.png`,
    });
    expect([status, body]).toEqual([202, { chat_id: chatId, status: "accepted" }]);
    await untilDone(chatId);

    const { body: chat } = await call(`GET /v3/chats/${chatId}`);
    expect(chat.display_name).toBe("Friday dinner");
    expect((await fetchFile(chat.group_chat_icon)).bytes.equals(png)).toBe(true);
    const by = expect.objectContaining({ handle: account.line, is_me: true });
    expect(await rendered(chatId)).toEqual([
      {
        type: "chat.group_name_updated",
        data: expect.objectContaining({ old_value: null, new_value: "Friday dinner", changed_by_handle: by }),
      },
      {
        type: "chat.group_icon_updated",
        data: expect.objectContaining({
          old_value: null,
          new_value: chat.group_chat_icon,
          changed_by_handle: by,
        }),
      },
    ]);
    expect((await listPhoneActions(account, first)).map((action) => action.do)).toEqual([
      "set_name",
      "set_icon",
    ]);
  });

  test("a group with a name of its own is not found by its recipients any more", async () => {
    const { chatId, phones } = await createTestGroup(account, 2);
    for (const phone of phones) await createDirectChat(account, phone);
    await put(chatId, { display_name: "Ours" });
    await untilDone(chatId);
    const message = { parts: [{ type: "text", value: "hello" }] };
    const { status, body } = await call("POST /v3/chats", { from: account.line, to: phones, message });
    expect(status).toBe(201);
    expect(body.chat.id).not.toBe(chatId);
  });

  test("a change the network refuses is reported with 4001, and nothing is changed", async () => {
    await knobs({ changes_fail: true });
    const { chatId } = await createTestGroup(account, 2);
    await put(chatId, { display_name: "Never", group_chat_icon: `${files.url}/icon.png` });
    await untilDone(chatId);

    expect(await changesOf(account, chatId)).toMatchObject([
      { type: "chat.group_name_update_failed", data: { chat_id: chatId, error_code: 4001 } },
      { type: "chat.group_icon_update_failed", data: { chat_id: chatId, error_code: 4001 } },
    ]);
    expect((await call(`GET /v3/chats/${chatId}`)).body).toMatchObject({ group_chat_icon: null });
  });

  test("a leave the network refuses opens the chat again", async () => {
    await knobs({ changes_fail: true });
    const { chatId } = await createTestGroup(account, 3);
    expect((await call(`POST /v3/chats/${chatId}/leave`)).status).toBe(202);
    await untilDone(chatId);
    expect(await changesOf(account, chatId)).toEqual([]);
    expect((await put(chatId, { display_name: "Still here" })).status).toBe(202);
  });

  test("an icon that is not an image or does not exist: 5006, 5007; no file is kept", async () => {
    const { chatId } = await createTestGroup(account, 2);
    const before = await prisma().attachment.count({ where: { accountId: account.ref.id } });
    const icon = (path: string) => put(chatId, { group_chat_icon: `${files.url}${path}` });
    expect(codeOf(await icon("/page.png"))).toEqual([400, 5006]);
    expect(codeOf(await icon("/missing.png"))).toEqual([400, 5007]);
    expect(codeOf(await put(chatId, { group_chat_icon: "http://example.com/icon.png" }))).toEqual([
      400, 5007,
    ]);
    expect(await waitingActions(chatId)).toEqual([]);
    expect(await prisma().attachment.count({ where: { accountId: account.ref.id } })).toBe(before);
  });

  test("a direct chat: 409/1006; an SMS group: 409/2017; nothing to change: 400/1003", async () => {
    const direct = await createDirectChat(account, await createTestPhone(account));
    const sms = await createTestGroup(account, 2, { platform: "sms_only" });
    expect(codeOf(await put(direct, { display_name: "No" }))).toEqual([409, 1006]);
    expect(codeOf(await put(sms.chatId, { display_name: "No" }))).toEqual([409, 2017]);
    expect(codeOf(await put(sms.chatId, {}))).toEqual([400, 1003]);
    expect(codeOf(await put(sms.chatId, { display_name: "" }))).toEqual([400, 1005]);
  });
});

describe("a chat's background", () => {
  const looks: [object, object][] = [
    [
      { type: "color", variant: "deep_sea" },
      { type: "color", variant: "deep_sea" },
    ],
    [
      { type: "color", shades: ["#112233", "#AABBCC"] },
      { type: "color", variant: "custom", shades: ["#112233", "#AABBCC"] },
    ],
    [
      { type: "dynamic", style: "aurora", variant: "green" },
      { type: "dynamic", style: "aurora", variant: "green" },
    ],
  ];

  test.each(looks)("%j is set and reported", async (look, emitted) => {
    const chatId = await createDirectChat(account, await createTestPhone(account));
    const answer = await setBackground(chatId, look);
    expect([answer.status, answer.body]).toEqual([202, null]);
    await untilDone(chatId);
    const [event] = await rendered(chatId);
    expect(event).toMatchObject({
      type: "chat.background_updated",
      data: {
        chat: { id: chatId, is_group: false },
        actor_handle: { handle: account.line },
        background: emitted,
      },
    });
  });

  test("a photo is kept as a file of the account; without a background the event has none", async () => {
    const { chatId } = await createTestGroup(account, 2);
    expect((await setBackground(chatId, { type: "photo", image_url: `${files.url}/icon.png` })).status).toBe(
      202,
    );
    expect((await call(`DELETE /v3/chats/${chatId}/background`)).status).toBe(202);
    await untilDone(chatId);

    const [set, removed] = await rendered(chatId);
    expect(set?.data).toMatchObject({
      background: { type: "photo", image_url: expect.stringContaining("/icon.png") },
    });
    const [, url = ""] = /"image_url":"([^"]+)"/.exec(JSON.stringify(set)) ?? [];
    expect((await fetchFile(url)).bytes.equals(png)).toBe(true);
    expect(removed?.data).not.toHaveProperty("background");
  });

  test("over SMS it is accepted, and nothing happens", async () => {
    const chatId = await createDirectChat(account, await createTestPhone(account, { platform: "sms_only" }));
    expect((await setBackground(chatId, { type: "color", variant: "lime" })).status).toBe(202);
    expect(await waitingActions(chatId)).toEqual([]);
  });

  test("a background the network refuses is reported with 4001", async () => {
    await knobs({ changes_fail: true });
    const chatId = await createDirectChat(account, await createTestPhone(account));
    await setBackground(chatId, { type: "color", variant: "lime" });
    await untilDone(chatId);
    expect(await changesOf(account, chatId)).toMatchObject([
      { type: "chat.background_update_failed", data: { chat_id: chatId, error_code: 4001 } },
    ]);
  });

  test.each([
    [{ type: "color" }, 1001],
    [{ type: "color", variant: "mauve" }, 1005],
    [{ type: "color", variant: "mango", shades: ["#112233", "#445566"] }, 1005],
    [{ type: "color", variant: "custom", shades: ["#112233"] }, 1005],
    [{ type: "color", shades: ["red", "#445566"] }, 1005],
    [{ type: "dynamic", style: "sky", variant: "green" }, 1005],
    [{ type: "dynamic", variant: "dusk" }, 1001],
    [{ type: "photo" }, 1001],
    [{ type: "video" }, 1005],
    [{}, 1001],
    [{ type: "photo", image_url: "https://127.0.0.1:1/none.png" }, 5007],
  ])("%j is refused with %i", async (look, code) => {
    const chatId = await createDirectChat(account, await createTestPhone(account));
    expect(codeOf(await setBackground(chatId, look))).toEqual([400, code]);
  });
});

describe("sharing the contact card", () => {
  async function sharable(): Promise<{ chatId: string; phone: string }> {
    const phone = await createTestPhone(account);
    const chatId = await createDirectChat(account, phone);
    await untilStatus(account, await acceptTestMessage(account, chatId), "delivered");
    return { chatId, phone };
  }

  test("needs a card; before a message, and again within a day, nothing is shared and the timeline says why", async () => {
    const { chatId, phone } = await sharable();
    expect(codeOf(await share(chatId))).toEqual([404, 2012]);
    await call("POST /v3/contact_card", { phone_number: account.line, first_name: "Harbor" });

    const silent = await createDirectChat(account, await createTestPhone(account));
    expect((await share(silent)).status).toBe(204);
    expect(await notesOf(silent)).toEqual([
      "The contact card was not shared: send a message in this chat first",
    ]);

    const answers = await Promise.all([share(chatId), share(chatId), share(chatId)]);
    expect(answers.map(({ status }) => status)).toEqual([204, 204, 204]);
    await untilDone(chatId);
    expect(await listPhoneActions(account, phone)).toEqual([{ do: "share_contact_card" }]);
    const again = "The contact card was not shared again: it can be shared once per day";
    expect(await notesOf(chatId)).toEqual([again, again]);

    advanceClock(24 * 3600 + 1);
    expect((await share(chatId)).status).toBe(204);
  });

  test("in the same breath as the first reply, the card follows the message", async () => {
    const phone = await createTestPhone(account);
    const chatId = await createDirectChat(account, phone);
    const messageId = await acceptTestMessage(account, chatId);
    expect((await share(chatId)).status).toBe(204);
    expect(await notesOf(chatId)).toEqual([]);
    await untilStatus(account, messageId, "delivered");
    await untilDone(chatId);
    expect(await listPhoneActions(account, phone)).toEqual([{ do: "share_contact_card" }]);
  });

  test("one that failed does not count", async () => {
    await knobs({ changes_fail: true });
    const { chatId } = await sharable();
    expect((await share(chatId)).status).toBe(204);
    await untilDone(chatId);
    await knobs({ changes_fail: false });
    expect((await share(chatId)).status).toBe(204);
  });

  test("over SMS: 409/2017", async () => {
    const sms = await createDirectChat(account, await createTestPhone(account, { platform: "sms_only" }));
    expect(codeOf(await share(sms))).toEqual([409, 2017]);
  });
});

describe("a group under creation", () => {
  test("answers 409/2009 with a later retry, and takes everything once it is there", async () => {
    const phones = [await createTestPhone(account), await createTestPhone(account)];
    for (const phone of phones) await createDirectChat(account, phone);
    await knobs({ groups_wait: true });
    const message = { parts: [{ type: "text", value: "hello" }] };
    const create = () => call("POST /v3/chats", { from: account.line, to: phones, message });
    const { status, body } = await create();
    expect(status).toBe(201);

    const chatId = body.chat.id;
    const waiting = await put(chatId, { display_name: "Soon" });
    expect(codeOf(waiting)).toEqual([409, 2009]);
    expect(waiting.headers.get("x-should-retry")).not.toBe("false");
    expect(codeOf(await create())).toEqual([409, 2009]);

    await knobs({ groups_wait: false });
    expect((await put(chatId, { display_name: "Soon" })).status).toBe(202);
    advanceClock(5);
    await until(async () => (await call(`GET /v3/chats/${chatId}`)).body.display_name === "Soon");
  });
});

test("reading a chat is reported to the phone, and covers everything up to the newest message", async () => {
  const phone = await createTestPhone(account);
  const chatId = await createDirectChat(account, phone);
  expect((await call(`POST /v3/chats/${chatId}/read`)).status).toBe(204);
  await untilDone(chatId);
  expect(await listPhoneActions(account, phone)).toEqual([{ do: "read" }]);
  const [row] = await sql.runText<{ all_read: boolean }>({
    text: `select c.read_up_to = (select m.id from messages m where m.chat_id = c.id order by id desc limit 1) as all_read
           from chats c where id = $1`,
    values: [chatId],
  });
  expect(row).toEqual({ all_read: true });
});

describe("every endpoint that changes a chat", () => {
  const ENDPOINTS: [`${string} ${string}`, object | undefined][] = [
    ["PUT ", { display_name: "Name" }],
    ["POST /read", undefined],
    ["POST /leave", undefined],
    ["POST /participants", { handle: "+15550001111" }],
    ["DELETE /participants", { handle: "+15550001111" }],
    ["POST /share_contact_card", undefined],
    ["POST /background", { type: "color", variant: "mango" }],
    ["DELETE /background", undefined],
    ["POST /typing", undefined],
  ];
  const sendRequest = ([request, body]: (typeof ENDPOINTS)[number], chatId: string) => {
    const [method, path] = request.split(" ");
    return call(`${method} /v3/chats/${chatId}${path}`, body);
  };

  test("refuses a chat that is unknown, foreign, or whose line is restricted: 2001, 2005, 2027", async () => {
    const other = await createTestAccount({ type: "production" });
    const foreign = (await other.sendFirst("+15550007777")).chatId;
    const { chatId } = await createTestGroup(account, 3);
    for (const request of ENDPOINTS) {
      expect(codeOf(await sendRequest(request, "01a00000-0000-7000-8000-000000000000"))).toEqual([404, 2001]);
      expect(codeOf(await sendRequest(request, foreign))).toEqual([403, 2005]);
    }
    await knobs({ status: "FLAGGED" });
    const answers = [];
    for (const request of ENDPOINTS) answers.push(codeOf(await sendRequest(request, chatId)));
    await knobs({ status: "ACTIVE" });
    expect(answers).toEqual(ENDPOINTS.map(() => [403, 2027]));
  });

  test("refuses a chat our line has left: 2013", async () => {
    const { chatId } = await createTestGroup(account, 3);
    await call(`POST /v3/chats/${chatId}/leave`);
    for (const request of ENDPOINTS) expect(codeOf(await sendRequest(request, chatId))).toEqual([409, 2013]);
  });

  test("waits for a leave that is being accepted, and is then refused: 2013", async () => {
    const { chatId } = await createTestGroup(account, 3);
    const values = [chatId];
    for (const request of ENDPOINTS.filter(([path]) => /^PUT|read|background/.test(path))) {
      const { asking, seen } = await transaction(async (tx) => {
        await tx.runText({ text: "update chats set left_at = now() where id = $1", values });
        const asking = sendRequest(request, chatId);
        return { asking, seen: await Promise.race([asking, untilLocked()]) };
      });
      expect(seen).toBe("waits");
      expect(codeOf(await asking)).toEqual([409, 2013]);
      await sql.runText({ text: "update chats set left_at = null where id = $1", values });
    }
    expect(await waitingActions(chatId)).toEqual([]);
  });
});
