import "@/lib/testing/use-test-database";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import * as attachments from "@/app/api/attachments/route";
import * as messages from "@/app/api/chats/[chatId]/messages/route";
import * as polls from "@/app/api/chats/[chatId]/polls/route";
import * as voiceMemos from "@/app/api/chats/[chatId]/voice-memos/route";
import * as chats from "@/app/api/chats/route";
import * as pollOptions from "@/app/api/messages/[messageId]/poll-options/route";
import * as reactions from "@/app/api/messages/[messageId]/reactions/route";
import * as message from "@/app/api/messages/[messageId]/route";
import * as votes from "@/app/api/messages/[messageId]/votes/route";
import * as optOuts from "@/app/api/opt-outs/route";
import { uploadContent } from "@/lib/attachments/store/upload-content";
import { sql } from "@/lib/platform/database/db";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { createDirectChat, createTestPhone, writeAs } from "@/lib/testing/factories";
import { sampleImage, sampleWav } from "@/lib/testing/samples/file-samples";
import { type DashboardUser, signInAs } from "@/lib/testing/sign-in/sign-in-as";

let account: TestAccount;
let support: DashboardUser;
let viewer: DashboardUser;
let phone: string;
let chatId: string;

beforeAll(async () => {
  account = await createTestAccount({ type: "sandbox" });
  support = await signInAs(account, "support");
  viewer = await signInAs(account, "viewer");
});

beforeEach(async () => {
  phone = await createTestPhone(account);
  chatId = await createDirectChat(account, phone);
});

const text = (value: string) => ({ parts: [{ type: "text", value }] });

function send(content: object, more: { query?: Record<string, string>; user?: DashboardUser } = {}) {
  const { user = support, query = {} } = more;
  return user.call(messages.POST, { method: "POST", params: { chatId }, query, body: content });
}

async function changes(messageId: string): Promise<{ action: string; actor_id: string; detail: object }[]> {
  return sql.runText({
    text: "select action, actor_id, detail from audit_entries where object_id = $1 order by id",
    values: [messageId],
  });
}

/** Uploads a file as the dashboard does: creates the attachment, then sends its bytes. */
async function upload(filename: string, contentType: string, bytes: Buffer): Promise<string> {
  const body = { filename, content_type: contentType, size_bytes: bytes.length };
  const announced = await support.call(attachments.POST, { method: "POST", body });
  const id: string = announced.body.attachment_id;
  await uploadContent(account.context(), id, oneChunk(bytes));
  return id;
}

async function* oneChunk(bytes: Buffer): AsyncGenerator<Uint8Array> {
  yield bytes;
}

test("a person sends what a program may: a file, a formatted reply with an effect", async () => {
  const { messageId } = await writeAs(account, phone, { to: account.line, text: "a question" });
  const image = await upload("a.png", "image/png", await sampleImage("png"));

  const { status, body } = await send({
    message: {
      parts: [
        { type: "media", attachment_id: image },
        { type: "text", value: "so bold", text_decorations: [{ range: [3, 7], style: "bold" }] },
      ],
      effect: { type: "bubble", name: "slam" },
      reply_to: { message_id: messageId },
    },
  });

  expect(status).toBe(202);
  expect(body.message).toMatchObject({
    parts: [{ type: "media", filename: "a.png" }, { text_decorations: [{ range: [3, 7], style: "bold" }] }],
    effect: { name: "slam" },
    reply_to: { message_id: messageId },
  });
  expect(await changes(body.message.id)).toMatchObject([{ action: "message.sent", actor_id: support.id }]);
});

test("a dry run says what would become of it and writes nothing", async () => {
  const count = () => sql.runText({ text: "select count(*) from messages" });
  const before = await count();

  const { status, body } = await send({ message: text("tried") }, { query: { dry_run: "true" } });

  expect([status, body.would_send, body.service, body.line]).toEqual([200, true, "iMessage", account.line]);
  expect(await count()).toEqual(before);
});

test("bytes that are not what was announced are refused, and so is a second upload", async () => {
  await expect(upload("a.png", "image/png", Buffer.from("not an image"))).rejects.toMatchObject({
    errorName: "content_type_mismatch",
  });
  const id = await upload("b.png", "image/png", await sampleImage("png"));
  await expect(
    uploadContent(account.context(), id, oneChunk(await sampleImage("png"))),
  ).rejects.toMatchObject({ errorName: "state_conflict" });
  const other = await createTestAccount({ type: "sandbox" });
  await expect(uploadContent(other.context(), id, oneChunk(Buffer.from("x")))).rejects.toMatchObject({
    errorName: "attachment_not_found",
  });
});

describe("to a recipient who opted out", () => {
  beforeEach(async () => {
    await writeAs(account, phone, { to: account.line, text: "STOP" });
  });

  test("an override needs a reason, and the reason is on record beside the opt-out", async () => {
    const refused = await send({ message: text("still") });
    expect([refused.status, refused.body.error.code]).toEqual([403, 2024]);
    const unreasoned = await send({ message: text("still"), override_optout: true });
    expect([unreasoned.status, unreasoned.body.error.code]).toEqual([400, 1001]);

    const reason = "They asked by phone for the receipt";
    const { status, body } = await send({
      message: text("Your receipt"),
      override_optout: true,
      override_reason: reason,
    });

    expect(status).toBe(202);
    const found = await support.call(optOuts.GET, { query: { handle: phone } });
    expect(found.body.opt_outs[0].overrides).toMatchObject([
      { message_id: body.message.id, reason, by: { name: "A support" } },
    ]);
    const recorded = (await changes(body.message.id)).find(({ action }) => action === "message.sent");
    expect(recorded?.detail).toEqual({ chat_id: chatId, override_reason: reason });
  });

  test("a first message overrides none: that is done in its chat", async () => {
    const body = { from: account.line, to: [phone], message: text("hi"), override_optout: true };
    const answer = await support.call(chats.POST, { method: "POST", body });
    expect([answer.status, answer.body.error.code]).toEqual([400, 1005]);
  });
});

test("a person starts a chat, and its dry run opens none", async () => {
  const other = await createTestAccount({ type: "production" });
  const person = await signInAs(other, "support");
  const body = { from: other.line, to: ["+14155550187"], message: text("hello") };
  const dry = await person.call(chats.POST, { method: "POST", query: { dry_run: "true" }, body });
  expect([dry.status, dry.body.line]).toEqual([200, other.line]);
  expect((await person.call(chats.GET)).body.conversations).toEqual([]);

  const made = await person.call(chats.POST, { method: "POST", body });

  expect([made.status, made.body.chat.handles.length]).toEqual([201, 2]);
  expect(await changes(made.body.chat.message.id)).toMatchObject([
    { action: "message.sent", actor_id: person.id },
  ]);
});

test("a person's reactions, edits and deletions work like a program's and are audited", async () => {
  const { body: sent } = await send({ message: text("first") });
  const params = { messageId: sent.message.id };
  const reacted = await support.call(reactions.POST, {
    method: "POST",
    params,
    body: { operation: "add", type: "custom", custom_emoji: "🎉" },
  });
  const edited = await support.call(message.PATCH, { method: "PATCH", params, body: { text: "second" } });
  const deleted = await support.call(message.DELETE, { method: "DELETE", params });

  expect([reacted.status, edited.status, deleted.status]).toEqual([202, 200, 204]);
  expect(edited.body.parts[0].value).toBe("second");
  const actions = (await changes(params.messageId)).map(({ action }) => action);
  expect(actions).toEqual(["message.sent", "reaction.added", "message.edited", "message.deleted"]);
});

test("a person sends a poll, adds to it and votes; and sends a voice memo", async () => {
  const { body: made } = await support.call(polls.POST, {
    method: "POST",
    params: { chatId },
    body: { poll: { options: [{ text: "Tea" }, { text: "Coffee" }] } },
  });
  const params = { messageId: made.message_id };
  const added = await support.call(pollOptions.POST, {
    method: "POST",
    params,
    body: { options: [{ text: "Water" }] },
  });
  const water = added.body.poll.options.at(-1);
  const voted = await support.call(votes.POST, {
    method: "POST",
    params,
    body: { operation: "add", option_id: water.option_id },
  });
  const sound = await upload("memo.wav", "audio/x-wav", sampleWav(800));
  const memo = await support.call(voiceMemos.POST, {
    method: "POST",
    params: { chatId },
    body: { attachment_id: sound },
  });

  expect([water.text, voted.body.poll.options.at(-1).voters]).toMatchObject([
    "Water",
    [{ handle: account.line }],
  ]);
  expect([memo.status, memo.body.voice_memo.voice_memo.duration_ms]).toEqual([202, 800]);
  const actions = (await changes(params.messageId)).map(({ action }) => action);
  expect(actions).toEqual(["message.sent", "poll.options_added", "poll.voted"]);
  expect(await changes(memo.body.voice_memo.id)).toMatchObject([{ action: "message.sent" }]);
});

test("a viewer is refused all of it", async () => {
  const { body: sent } = await send({ message: text("theirs") });
  const params = { chatId, messageId: sent.message.id };
  const asViewer = async (route: Parameters<DashboardUser["call"]>[0], body?: object) =>
    (await viewer.call(route, { method: "POST", params, ...(body && { body }) })).status;
  const option = { operation: "add", option_id: crypto.randomUUID() };

  expect([
    await asViewer(messages.POST, { message: text("no") }),
    await asViewer(chats.POST, { from: account.line, to: [phone], message: text("no") }),
    await asViewer(attachments.POST, { filename: "a.txt", content_type: "text/plain", size_bytes: 3 }),
    await asViewer(polls.POST, { poll: { options: [{ text: "a" }, { text: "b" }] } }),
    await asViewer(voiceMemos.POST, { attachment_id: crypto.randomUUID() }),
    await asViewer(reactions.POST, { operation: "add", type: "love" }),
    await asViewer(votes.POST, option),
    await asViewer(pollOptions.POST, { options: [{ text: "c" }] }),
    await asViewer(message.PATCH, { text: "no" }),
    await asViewer(message.DELETE),
    (await send({ message: text("no") }, { user: viewer, query: { dry_run: "true" } })).status,
  ]).toEqual(Array(11).fill(403));
});
