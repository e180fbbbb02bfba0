import "@/lib/testing/use-test-database";

import { afterEach, beforeAll, expect, test } from "vitest";
import { allTransports } from "@/lib/adapters/transports/registry";
import { setLineStatus } from "@/lib/lines/lines/set-line-status";
import { startDispatch } from "@/lib/messaging/dispatch/dispatch-messages";
import { listMessageViews } from "@/lib/messaging/messages/list-message-views";
import { sql } from "@/lib/platform/database/db";
import { inboundSink } from "@/lib/runtime/wiring/inbound-sink";
import { callApi } from "@/lib/testing/call-api";
import { uploadWav } from "@/lib/testing/call-files";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import {
  createDirectChat,
  createTestPhone,
  eventsOfMessage,
  untilStatus,
  writeAs,
} from "@/lib/testing/factories";
import { FILES, sampleWav } from "@/lib/testing/samples/file-samples";
import { startFileServer } from "@/lib/testing/servers/start-file-server";
import { createTestGroup } from "@/lib/testing/test-chats";

process.env.MEDIA_ALLOW_PRIVATE = "127.0.0.1";

const TEN_MB = 10 * 1024 * 1024;

let account: TestAccount;
let running: { stop(): Promise<void> }[] = [];

beforeAll(async () => {
  account = await createTestAccount({ type: "sandbox" });
});

afterEach(async () => {
  await Promise.all(running.map((part) => part.stop()));
  running = [];
});

function start(): void {
  for (const transport of allTransports()) if (transport.start) running.push(transport.start(inboundSink));
  running.push(startDispatch());
}

const call = (what: `${string} ${string}`, body?: unknown) => callApi(what, { token: account.token, body });

async function upload(
  content: Buffer,
  { token, ...more }: { token?: string; content_type?: string; filename?: string } = {},
): Promise<string> {
  return (await uploadWav(token ?? account.token, content, more)).attachment_id;
}

async function openChat() {
  const phone = await createTestPhone(account);
  return { phone, chatId: await createDirectChat(account, phone) };
}

const send = (chatId: string, body: object) => call(`POST /v3/chats/${chatId}/voicememo`, body);

async function timelineOf(chatId: string) {
  const { messages } = await listMessageViews(account.context(), { params: { chatId }, query: { limit: 5 } });
  return messages;
}

test("a voice memo is accepted at once, and the phone gets it to play", async () => {
  const { phone, chatId } = await openChat();
  const attachment_id = await upload(sampleWav(1500));
  const { status, body } = await send(chatId, { attachment_id, from: "anything" });

  expect(status).toBe(202);
  expect(body.voice_memo).toMatchObject({
    chat: { id: chatId, is_active: true, is_group: false, handles: expect.any(Array) },
    from: account.line,
    to: [phone],
    status: "pending",
    service: null,
    voice_memo: { id: attachment_id, filename: "memo.wav", mime_type: "audio/x-wav", duration_ms: 1500 },
  });
  expect(body.voice_memo.voice_memo.url).toContain(attachment_id);

  start();
  const { id } = body.voice_memo;
  await untilStatus(account, id, "delivered");
  const [{ parts } = { parts: [] }] = await sql.runText<{ parts: object[] }>({
    text: "select parts from simulator_messages where ref = $1",
    values: [id],
  });
  expect(parts).toMatchObject([{ type: "media", attachmentId: attachment_id, voiceMemo: true }]);
  const [shown] = await timelineOf(chatId);
  expect(shown).toMatchObject({ id, kind: "voice_memo", duration_ms: 1500, parts: [{ type: "media" }] });
  const types = (await eventsOfMessage(account, id)).map(({ type }) => type);
  expect(types).toEqual(["message.sent", "message.delivered"]);
});

test("a voice memo by url is downloaded and checked first", async () => {
  const { chatId } = await openChat();
  const files = await startFileServer({ "/a.mp3": FILES.mp3, "/a.pdf": FILES.pdf, "/a.ogg": FILES.ogg });
  const code = async (path: string) => {
    const { status, body } = await send(chatId, { voice_memo_url: files.url + path });
    return status === 202 ? body.voice_memo.voice_memo.mime_type : [status, body.error.code];
  };
  expect(await code("/a.mp3")).toBe("audio/mpeg");
  expect(await code("/a.pdf")).toEqual([400, 5004]);
  expect(await code("/a.ogg")).toEqual([400, 5004]);
  expect(await code("/gone.mp3")).toEqual([400, 5007]);
  await files.close();
});

test("a file that is no voice memo is refused with advice and not stored", async () => {
  const { chatId } = await openChat();
  const code = async (body: object) => {
    const answer = await send(chatId, body);
    return [answer.status, answer.body.error.code];
  };
  const attachment_id = await upload(sampleWav(100));
  expect(await code({})).toEqual([400, 1001]);
  expect(await code({ attachment_id, voice_memo_url: "https://example.com/a.mp3" })).toEqual([400, 1005]);
  const absent = "019ca9c2-4c05-7f86-9e55-81c2d3e4f506";
  expect(await code({ attachment_id: absent })).toEqual([404, 2003]);
  const pdf = await upload(FILES.pdf, { content_type: "application/pdf", filename: "a.pdf" });
  expect(await code({ attachment_id: pdf })).toEqual([400, 5004]);
  const long = await upload(Buffer.concat([sampleWav(10), Buffer.alloc(TEN_MB)]));
  expect(await code({ attachment_id: long })).toEqual([400, 5005]);
  expect(await timelineOf(chatId)).toHaveLength(1);
});

test("a contact's voice memo is one in the timeline and a message in the events", async () => {
  const phone = await createTestPhone(account);
  const data = sampleWav(700).toString("base64");
  const part = { type: "media" as const, data, filename: "Audio Message.wav", voice_memo: true };
  const { chatId, messageId } = await writeAs(account, phone, { to: account.line, parts: [part] });
  const [shown] = await timelineOf(chatId);
  expect(shown).toMatchObject({ id: messageId, kind: "voice_memo", duration_ms: 700, is_from_me: false });
  const [emitted] = await eventsOfMessage(account, messageId);
  expect(emitted).toMatchObject({
    type: "message.received",
    data: { message: { parts: [{ type: "media" }] } },
  });

  const spoiled = { ...part, data: FILES.pdf.toString("base64"), filename: "a.pdf" };
  const other = await writeAs(account, phone, { to: account.line, parts: [spoiled] });
  expect((await timelineOf(chatId))[0]).toMatchObject({ id: other.messageId, kind: "content" });
});

test("a contact's poll is received with its options, and both sides vote in it", async () => {
  const phone = await createTestPhone(account);
  const options = [{ text: "Friday" }, { text: "Saturday" }];
  const poll = { type: "poll" as const, options };
  const { chatId, messageId } = await writeAs(account, phone, { to: account.line, parts: [poll] });
  const [emitted, ...more] = await eventsOfMessage(account, messageId);
  expect(more).toEqual([]);
  expect(emitted).toMatchObject({
    type: "poll.received",
    data: {
      message_id: messageId,
      chat: { id: chatId, is_group: false, owner_handle: { handle: account.line } },
      direction: "inbound",
      poll: { total_voters: 0, options: [{ ...options[0], creator_handle: { handle: phone } }, options[1]] },
      sender_handle: { handle: phone },
    },
  });

  const { body } = await call(`GET /v3/messages/${messageId}/poll`);
  const [first] = body.poll.options;
  const vote = { operation: "add", option_id: first.option_id };
  expect((await call(`POST /v3/messages/${messageId}/poll/votes`, vote)).status).toBe(200);
  await call(`POST /simulator/phones/${phone}/votes`, { message_id: messageId, ...vote });
  const voted = await call(`GET /v3/messages/${messageId}/poll`);
  expect(voted.body.poll.total_voters).toBe(2);
  expect((await timelineOf(chatId))[0]).toMatchObject({ kind: "poll", poll: { total_voters: 2 } });
});

test("an opted-out or blocked recipient, a flagged line and a chat that was left refuse", async () => {
  const own = await createTestAccount({ type: "sandbox" });
  const ask = (what: `${string} ${string}`, body?: object) => callApi(what, { token: own.token, body });
  const answers = async (chatId: string) => {
    const memo = { attachment_id: await upload(sampleWav(10), { token: own.token }) };
    const poll = { poll: { options: [{ text: "a" }, { text: "b" }] } };
    const results = [
      await ask(`POST /v3/chats/${chatId}/voicememo`, memo),
      await ask(`POST /v3/chats/${chatId}/polls`, poll),
      await ask(`POST /v3/chats/${chatId}/location/request`),
    ];
    return results.map(({ body }) => body.error?.code ?? 0);
  };
  const phone = await createTestPhone(own);
  const chatId = await createDirectChat(own, phone);
  await writeAs(own, phone, { to: own.line, text: "STOP" });
  expect(await answers(chatId)).toEqual([2024, 2024, 0]);
  await writeAs(own, phone, { to: own.line, text: "hello again" });
  await ask("POST /v3/blocked_handles", { handle: phone });
  expect(await answers(chatId)).toEqual([2026, 2026, 0]);
  const group = await createTestGroup(own, 3);
  // A contact has written in the group, so a sandbox can reply there (docs/contract.md, section 2.2).
  expect(await answers(group.chatId)).toEqual([0, 0, 2016]);
  await sql.runText({
    text: "update chats set left_at = now() where account_id = $1 and id = $2",
    values: [own.ref.id, group.chatId],
  });
  expect(await answers(group.chatId)).toEqual([2013, 2013, 2013]);

  const [line] = await sql.runText<{ id: string }>({
    text: "select id from lines where account_id = $1",
    values: [own.ref.id],
  });
  await setLineStatus(own.context(), line?.id ?? "", "FLAGGED");
  expect(await answers(chatId)).toEqual([2027, 2027, 2027]);
});

test("override_optout sends a last memo, or a last poll, to a recipient who opted out", async () => {
  const { phone, chatId } = await openChat();
  const attachment_id = await upload(sampleWav(1000));
  await writeAs(account, phone, { to: account.line, text: "STOP" });
  const poll = { options: [{ text: "Yes" }, { text: "No" }] };
  for (const [path, body, status] of [
    ["voicememo", { attachment_id }, 202],
    ["polls", { poll }, 201],
  ] as const) {
    const refused = await call(`POST /v3/chats/${chatId}/${path}`, body);
    expect([refused.status, refused.body.error.code]).toEqual([403, 2024]);
    const sent = await call(`POST /v3/chats/${chatId}/${path}`, { ...body, override_optout: true });
    expect(sent.status).toBe(status);
  }
});

test("a repeated idempotency key returns the original voice memo and sends nothing", async () => {
  const { chatId } = await openChat();
  const attachment_id = await upload(sampleWav(400));
  const body = { attachment_id, idempotency_key: `memo ${chatId}` };
  const [first, again] = [await send(chatId, body), await send(chatId, body)];
  expect([first.status, again.status]).toEqual([202, 202]);
  expect(again.body.voice_memo).toMatchObject({
    id: first.body.voice_memo.id,
    voice_memo: { duration_ms: 400 },
  });
  const both = await Promise.all(
    [1, 2, 3].map(() => send(chatId, { ...body, idempotency_key: `race ${chatId}` })),
  );
  expect(new Set(both.map((answer) => answer.body.voice_memo.id)).size).toBe(1);
  expect(await timelineOf(chatId)).toHaveLength(3);
  const found = await call(`GET /v3/messages?idempotency_key=${encodeURIComponent(body.idempotency_key)}`);
  expect(found.body.message.id).toBe(first.body.voice_memo.id);
});

test("the key of another kind of message is not the key of a voice memo", async () => {
  const { chatId } = await openChat();
  const idempotency_key = `text ${chatId}`;
  const parts = [{ type: "text", value: "hello" }];
  await call(`POST /v3/chats/${chatId}/messages`, { message: { parts, idempotency_key } });
  const attachment_id = await upload(sampleWav(400));
  const refused = await send(chatId, { attachment_id, idempotency_key });
  expect([refused.status, refused.body.error.code]).toEqual([404, 2002]);
});
