import { EVENT_CATALOG } from "@/lib/docs/reference/event-catalog";
import "@/lib/testing/use-test-database";

import { Readable } from "node:stream";
import { beforeAll, describe, expect, test } from "vitest";
import { AdapterError } from "@/lib/adapters/adapter-error";
import type { InChange } from "@/lib/adapters/transports/inbound";
import type { LineRef } from "@/lib/adapters/transports/refs";
import { registerTransport } from "@/lib/adapters/transports/registry";
import { simulator } from "@/lib/adapters/transports/simulator/simulator";
import { startActions } from "@/lib/messaging/actions/perform-actions";
import { prisma } from "@/lib/platform/database/db";
import { callApi } from "@/lib/testing/call-api";
import { fetchFile, uploadFile } from "@/lib/testing/call-files";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { createDirectChat, createTestPhone, writeAs } from "@/lib/testing/factories";
import { receiveEvent } from "@/lib/testing/receive-event";
import { sampleImage } from "@/lib/testing/samples/file-samples";
import { changesOf, createTestGroup, membersOf, untilDone } from "@/lib/testing/test-chats";

let account: TestAccount;
let line: LineRef;
let png: Buffer;

beforeAll(async () => {
  account = await createTestAccount({ type: "sandbox" });
  line = await prisma().line.findFirstOrThrow({ where: { accountId: account.ref.id } });
  png = await sampleImage("png");
});

const call = (request: `${string} ${string}`, body?: object) =>
  callApi(request, { token: account.token, body });
const on = (phone: string, request: string, body: object) => {
  const [method, path] = request.split(" ");
  return call(`${method} /simulator/phones/${phone}/${path}`, body);
};
const codeOf = ({ status, body }: Awaited<ReturnType<typeof call>>) => [status, body.error?.code];

async function upload(content: Buffer, contentType = "image/png"): Promise<string> {
  const { body } = await call("POST /v3/attachments", {
    filename: "a.png",
    content_type: contentType,
    size_bytes: content.length,
  });
  await uploadFile(body, content);
  return body.attachment_id;
}

test("typing is reported when it begins and when it stops", async () => {
  const phone = await createTestPhone(account);
  const chat_id = await createDirectChat(account, phone);
  const actor_handle = (await call(`GET /v3/chats/${chat_id}`)).body.handles.find(
    ({ handle }: { handle: string }) => handle === phone,
  );
  expect((await on(phone, "POST typing", { chat_id })).status).toBe(200);
  expect((await on(phone, "DELETE typing", { chat_id })).status).toBe(200);
  expect(await changesOf(account, chat_id)).toEqual([
    { type: "chat.typing_indicator.started", data: { chat_id, actor_handle } },
    { type: "chat.typing_indicator.stopped", data: { chat_id, actor_handle } },
  ]);
  expect(
    EVENT_CATALOG["chat.typing_indicator.started"].payload.render("2025-01-01", { chat_id, actor_handle }),
  ).toEqual({
    chat_id,
  });
});

describe("a group changed by its members", () => {
  test("a name and an icon are shown, reported with who changed them, and removed again", async () => {
    const { chatId: chat_id, first } = await createTestGroup(account, 2);
    const icon = { attachment_id: await upload(png) };
    expect((await on(first, "PUT group", { chat_id, name: "Harbor crew", icon })).status).toBe(200);

    const { body: chat } = await call(`GET /v3/chats/${chat_id}`);
    expect(chat.display_name).toBe("Harbor crew");
    expect((await fetchFile(chat.group_chat_icon)).bytes.equals(png)).toBe(true);

    await on(first, "PUT group", { chat_id, name: null, icon: null });
    expect((await call(`GET /v3/chats/${chat_id}`)).body).toMatchObject({ group_chat_icon: null });
    const by = { changed_by_handle: { handle: first, is_me: false } };
    expect(await changesOf(account, chat_id)).toMatchObject([
      { type: "chat.group_name_updated", data: { old_value: null, new_value: "Harbor crew", ...by } },
      { type: "chat.group_icon_updated", data: { old_icon: null, new_icon: { filename: "a.png" }, ...by } },
      { type: "chat.group_name_updated", data: { old_value: "Harbor crew", new_value: null, ...by } },
      { type: "chat.group_icon_updated", data: { old_icon: { filename: "a.png" }, new_icon: null, ...by } },
    ]);
  });

  test("members come, are removed and leave; each change is reported once", async () => {
    const { chatId: chat_id, phones, first } = await createTestGroup(account, 3);
    const [, second = "", third = ""] = phones;
    const newcomer = await createTestPhone(account);
    await on(first, "POST participants", { chat_id, handle: newcomer });
    await on(first, "DELETE participants", { chat_id, handle: second });
    await on(third, "POST leave", { chat_id });

    expect(await membersOf(account, chat_id)).toMatchObject({
      [newcomer]: "active",
      [second]: "removed",
      [third]: "left",
    });
    expect(
      (await changesOf(account, chat_id)).map(({ type, data }) => [type, data.participant.handle]),
    ).toEqual([
      ["participant.added", newcomer],
      ["participant.removed", second],
      ["participant.removed", third],
    ]);
  });

  test("our line removed makes the chat unavailable; added again, usable", async () => {
    const { chatId, first } = await createTestGroup(account, 2);
    const chat = await prisma().chat.findFirstOrThrow({ where: { id: chatId } });
    await on(first, "DELETE participants", { chat_id: chatId, handle: account.line });
    expect(codeOf(await call(`POST /v3/chats/${chatId}/read`))).toEqual([409, 2013]);

    const at = new Date();
    const change: InChange = { ref: null, groupRef: chat.transportRef, from: first, at };
    await receiveEvent(line, { type: "group_name", ...change, name: "without us" });
    await receiveEvent(line, { type: "member", ...change, handle: account.line, change: "added" });
    expect((await call(`POST /v3/chats/${chatId}/read`)).status).toBe(204);
    expect((await changesOf(account, chatId)).map(({ type }) => type)).toEqual([
      "participant.removed",
      "participant.added",
    ]);
  });

  test("our line removed while it leaves stays removed when the vendor refuses the leave", async () => {
    const { chatId, first } = await createTestGroup(account, 3);
    const { transportRef } = await prisma().chat.findFirstOrThrow({ where: { id: chatId } });
    expect((await call(`POST /v3/chats/${chatId}/leave`)).status).toBe(202);
    const change: InChange = { ref: null, groupRef: transportRef, from: first, at: new Date() };
    await receiveEvent(line, { type: "member", ...change, handle: account.line, change: "removed" });
    expect(await membersOf(account, chatId)).toMatchObject({ [account.line]: "removed" });

    const act = () => Promise.reject(new AdapterError("rejected", "the line is not in the group"));
    registerTransport({ ...simulator, act });
    const worker = startActions();
    await untilDone(chatId);
    await worker.stop();
    registerTransport(simulator);

    expect(codeOf(await call(`POST /v3/chats/${chatId}/read`))).toEqual([409, 2013]);
    expect((await changesOf(account, chatId)).map(({ type }) => type)).toEqual(["participant.removed"]);
  });

  test("our line is in the group again when the vendor refuses the leave", async () => {
    const { chatId } = await createTestGroup(account, 3);
    expect((await call(`POST /v3/chats/${chatId}/leave`)).status).toBe(202);
    const act = () => Promise.reject(new AdapterError("rejected", "try later"));
    registerTransport({ ...simulator, act });
    const worker = startActions();
    await untilDone(chatId);
    await worker.stop();
    registerTransport(simulator);

    expect((await call(`POST /v3/chats/${chatId}/read`)).status).toBe(204);
  });

  test("a repeated report, or a report of an unknown chat, changes nothing", async () => {
    const { chatId, first } = await createTestGroup(account, 2);
    const { transportRef } = await prisma().chat.findFirstOrThrow({ where: { id: chatId } });
    const change: InChange = { ref: "report-1", groupRef: transportRef, from: first, at: new Date() };
    const background = { type: "color" as const, variant: "plum" };
    await Promise.all([1, 2, 3].map(() => receiveEvent(line, { type: "background", ...change, background })));
    await receiveEvent(line, {
      type: "background",
      ...change,
      ref: "report-2",
      groupRef: "unknown",
      background,
    });
    expect(await changesOf(account, chatId)).toHaveLength(1);
  });

  test("a file that is no image, or can't be had, is left out of a report, and refused on a phone", async () => {
    const { chatId: chat_id, first } = await createTestGroup(account, 2);
    const { transportRef } = await prisma().chat.findFirstOrThrow({ where: { id: chat_id } });
    const open = async () => Readable.from([Buffer.from("%PDF-1.4 not an image")]);
    const image = { type: "media" as const, filename: "x.png", mimeType: "image/png", open };
    const change: InChange = { ref: "report-3", groupRef: transportRef, from: first, at: new Date() };
    await receiveEvent(line, { type: "group_icon", ...change, image });
    const gone = () => Promise.reject(new AdapterError("unknown_outcome", "the host of the image is down"));
    await receiveEvent(line, {
      type: "group_icon",
      ...change,
      ref: "report-4",
      image: { ...image, open: gone },
    });
    expect(await changesOf(account, chat_id)).toEqual([]);

    const pdf = await upload(Buffer.from("%PDF-1.4\n%not an image\n"), "application/pdf");
    const answer = await on(first, "PUT group", { chat_id, icon: { attachment_id: pdf } });
    expect(codeOf(answer)).toEqual([400, 5006]);
  });

  test("in a direct chat there are no members, names or icons: 409/2023", async () => {
    const phone = await createTestPhone(account);
    const chat_id = await createDirectChat(account, phone);
    for (const [request, more] of [
      ["POST leave", {}],
      ["POST participants", { handle: "+15550001111" }],
      ["PUT group", { name: "Us" }],
    ] as const) {
      expect(codeOf(await on(phone, request, { chat_id, ...more }))).toEqual([409, 2023]);
    }
  });
});

describe("a background set by a contact", () => {
  test("is reported with who set it, and without one when it is removed", async () => {
    const phone = await createTestPhone(account);
    const chat_id = await createDirectChat(account, phone);
    const photo = { type: "photo", image: { attachment_id: await upload(png) } };
    await on(phone, "POST background", { chat_id, background: photo });
    await on(phone, "DELETE background", { chat_id });

    const [set, removed] = await changesOf(account, chat_id);
    expect(set).toMatchObject({
      type: "chat.background_updated",
      data: { actor_handle: { handle: phone }, background: { type: "photo", image: { filename: "a.png" } } },
    });
    expect(removed?.data).not.toHaveProperty("background");
  });

  test("is dropped when the contact is blocked", async () => {
    const phone = await createTestPhone(account);
    const chat_id = await createDirectChat(account, phone);
    await prisma().contact.updateMany({
      where: { accountId: account.ref.id, handle: phone },
      data: { blockedAt: new Date() },
    });
    await on(phone, "POST background", { chat_id, background: { type: "color", variant: "ice" } });
    await on(phone, "POST typing", { chat_id });
    expect(await changesOf(account, chat_id)).toEqual([]);
  });
});

test("a phone that switches its platform goes on in the same chat over its new service", async () => {
  const phone = await createTestPhone(account);
  const chatId = await createDirectChat(account, phone);
  await call("POST /simulator/phones", { handle: phone, platform: "android_rcs" });
  const next = await writeAs(account, phone, { to: account.line, text: "new phone" });

  expect(next.chatId).toBe(chatId);
  const { body } = await call(`GET /v3/chats/${chatId}`);
  expect(body.service).toBe("RCS");
  expect(body.handles.map(({ service }: { service: string }) => service)).toEqual(["RCS", "RCS"]);
});
