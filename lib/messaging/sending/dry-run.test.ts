import "@/lib/testing/use-test-database";
import { beforeAll, expect, test } from "vitest";
import { updateAccountOptions } from "@/lib/identity/accounts/update-account-options";
import { sql } from "@/lib/platform/database/db";
import { callApi } from "@/lib/testing/call-api";
import { uploadWav } from "@/lib/testing/call-files";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { createDirectChat, createTestPhone } from "@/lib/testing/factories";

let account: TestAccount;
let phone: string;
let chatId: string;

beforeAll(async () => {
  account = await createTestAccount({ type: "sandbox" });
  phone = await createTestPhone(account);
  chatId = await createDirectChat(account, phone);
});

const TABLES = [
  "messages",
  "chats",
  "participants",
  "events",
  "webhook_deliveries",
  "attachments",
  "attachment_uses",
  "contacts",
  "polls",
  "poll_options",
  "audit_entries",
];

/** The number of writes to each table, and the number of its rows. */
async function rows() {
  const counts = TABLES.map(
    (table) => `(select jsonb_agg(to_jsonb(t) order by to_jsonb(t)::text) from ${table} t) as ${table}`,
  );
  const [found] = await sql.runText({ text: `select ${counts.join(", ")}` });
  return found;
}

const runDry = (message: object, path = `/v3/chats/${chatId}/messages`, more: object = {}) =>
  callApi(`POST ${path}?dry_run=true`, { token: account.token, body: { message, ...more } });

const text = (value: string) => ({ parts: [{ type: "text", value }] });

const failed = (body: { checks: { check: string; passed: boolean | null; code?: number }[] }) =>
  body.checks.filter(({ passed }) => passed === false).map(({ check, code }) => [check, code]);

test("a send that would go says over what, and nothing is written", async () => {
  const before = await rows();
  const { status, body } = await runDry({ ...text("hello"), idempotency_key: "dry" });
  expect([status, body.would_send, body.service, body.line]).toEqual([200, true, "iMessage", account.line]);
  expect(body.checks.every(({ passed }: { passed: boolean }) => passed)).toBe(true);
  expect(await rows()).toEqual(before);
});

test("a dry run lists the content that the service would omit: none over iMessage, all of it over SMS", async () => {
  const content = {
    parts: [{ type: "text", value: "so bold", text_decorations: [{ range: [3, 7], style: "bold" }] }],
    effect: { type: "screen", name: "confetti" },
  };
  expect((await runDry(content)).body.left_out).toEqual([]);
  const android = await createTestPhone(account, { platform: "sms_only" });
  const path = `/v3/chats/${await createDirectChat(account, android)}/messages`;

  const { body } = await runDry(content, path);

  expect([body.would_send, body.service, body.left_out]).toEqual([true, "SMS", ["effect", "decorations"]]);
});

test("a first message to a new recipient opens no chat", async () => {
  const stranger = await createTestPhone(account, { platform: "android_rcs" });
  const before = await rows();
  const { status, body } = await runDry(text("hello"), "/v3/chats", { from: account.line, to: [stranger] });
  expect([status, body.would_send, body.service, failed(body)]).toEqual([
    200,
    false,
    "RCS",
    [["recipient", 2008]],
  ]);
  const known = await runDry(text("hello"), "/v3/chats", { from: account.line, to: [phone] });
  expect(known.body.would_send).toBe(true);
  expect(await rows()).toEqual(before);
});

test("each refusal is named by its check and code, and nothing is written", async () => {
  await sql.runText({
    text: "update contacts set opted_out_at = now() where account_id = $1 and handle = $2",
    values: [account.ref.id, phone],
  });
  const before = await rows();
  expect(failed((await runDry(text("hello"))).body)).toEqual([["recipient", 2024]]);
  expect((await runDry(text("bye"), undefined, { override_optout: true })).body.would_send).toBe(true);
  const missing = { parts: [{ type: "media", attachment_id: crypto.randomUUID() }] };
  expect(failed((await runDry(missing)).body)).toEqual([["files", 2003]]);
  const clip = { parts: [{ type: "app_clip", value: "https://unknown.example" }] };
  expect(failed((await runDry(clip)).body)).toEqual([["content", 1009]]);
  const mention = { parts: [{ type: "text", value: "Ann", mention: phone }] };
  expect(failed((await runDry(mention)).body)).toEqual([["chat", 2023]]);
  expect(await rows()).toEqual(before);
  await sql.runText({
    text: "update contacts set opted_out_at = null where account_id = $1",
    values: [account.ref.id],
  });
});

test("a key that was used would send nothing; a wrong body and a chat that is not ours are refused as ever", async () => {
  const message = { ...text("once"), idempotency_key: "used" };
  await callApi(`POST /v3/chats/${chatId}/messages`, { token: account.token, body: { message } });
  const { body } = await runDry(message);
  expect([body.would_send, failed(body)]).toEqual([false, [["idempotency_key", 2015]]]);
  expect((await runDry({ parts: [] })).status).toBe(400);
  expect((await runDry(text("x"), `/v3/chats/${crypto.randomUUID()}/messages`)).status).toBe(404);
});

test("where the account says so, a first message holds no link; the next one may", async () => {
  const other = await createTestPhone(account);
  const third = await createTestPhone(account);
  for (const handle of [other, third]) await createDirectChat(account, handle);
  await updateAccountOptions(account.context(), { body: { first_message_links: "reject" } });
  const create = (message: object) =>
    callApi("POST /v3/chats", {
      token: account.token,
      body: { from: account.line, to: [other, third], message },
    });

  for (const message of [
    text("see https://a.example"),
    { parts: [{ type: "link", value: "https://a.example" }] },
  ]) {
    const { status, body } = await create(message);
    expect([status, body.error.code]).toEqual([400, 1005]);
  }
  expect((await create(text("hello"))).status).toBe(201);
  expect((await create(text("see https://a.example"))).status).toBe(201);
  await updateAccountOptions(account.context(), { body: { first_message_links: "allow" } });
});

test("a send from the best line names the line, for known and for new recipients, and nothing is written", async () => {
  const stranger = await createTestPhone(account, { platform: "android_rcs" });
  await createDirectChat(account, stranger);
  const before = await rows();
  const known = await runDry(text("hello"), "/v3/messages", { to: [phone] });
  expect([known.status, known.body.would_send, known.body.line]).toEqual([200, true, account.line]);
  const unknown = await runDry(text("hello"), "/v3/messages", { to: [phone, stranger] });
  expect([unknown.status, unknown.body.would_send, failed(unknown.body)]).toEqual([200, true, []]);
  const anotherLine = await runDry(text("hello"), "/v3/messages", {
    to: [phone],
    exclude_from: [account.line],
  });
  expect([anotherLine.status, anotherLine.body.would_send]).toEqual([200, true]);
  const excluded = await runDry(text("hello"), "/v3/messages", {
    to: ["+15550998877"],
    exclude_from: [account.line],
  });
  expect([excluded.status, excluded.body.error.code]).toEqual([400, 1005]);
  expect(await rows()).toEqual(before);
});

test("the dry run of a voice memo would send it, refuses a file that is not audio, and writes nothing", async () => {
  const dry = (attachment_id: string) =>
    callApi(`POST /v3/chats/${chatId}/voicememo?dry_run=true`, {
      token: account.token,
      body: { attachment_id },
    });
  const { attachment_id } = await uploadWav(account.token);
  const before = await rows();

  const { status, body } = await dry(attachment_id);
  const missing = await dry(crypto.randomUUID());

  expect([status, body.would_send, body.service, body.line]).toEqual([200, true, "iMessage", account.line]);
  expect([missing.status, failed(missing.body)]).toEqual([200, [["files", 2003]]]);
  expect(await rows()).toEqual(before);
});

test("the dry run of a poll would send it over iMessage, not over SMS or with a used key, and writes nothing", async () => {
  const send = (id: string, query = "", key?: string) =>
    callApi(`POST /v3/chats/${id}/polls${query}`, {
      token: account.token,
      body: { poll: { options: [{ text: "a" }, { text: "b" }], idempotency_key: key } },
    });
  const smsPhone = await createTestPhone(account, { platform: "sms_only" });
  const smsChat = await createDirectChat(account, smsPhone);
  expect((await send(chatId, "", "poll")).status).toBe(201);
  const before = await rows();

  const { status, body } = await send(chatId, "?dry_run=true", "another");
  const repeated = await send(chatId, "?dry_run=true", "poll");
  const overSms = await send(smsChat, "?dry_run=true");

  expect([status, body.would_send, body.service]).toEqual([200, true, "iMessage"]);
  expect([repeated.status, failed(repeated.body)]).toEqual([200, [["idempotency_key", 2015]]]);
  expect([overSms.status, overSms.body.would_send]).toEqual([200, false]);
  expect(failed(overSms.body)).toMatchObject([["service", expect.any(Number)]]);
  expect((await send(crypto.randomUUID(), "?dry_run=true")).status).toBe(404);
  expect(await rows()).toEqual(before);
});

test.each([
  "?dry_run=1",
  "?dry_run=True",
  "?dry_run=yes",
  "?dry_run=",
  "?dry_run",
  "?dry_run=false&dry_run=true",
])("%s is neither a dry run nor a send", async (query) => {
  const { token } = account;
  const message = text("not to be sent");
  const options = [{ text: "a" }, { text: "b" }];
  const before = await rows();

  const answers = await Promise.all([
    callApi(`POST /v3/chats/${chatId}/messages${query}`, { token, body: { message } }),
    callApi(`POST /v3/chats${query}`, { token, body: { from: account.line, to: [phone], message } }),
    callApi(`POST /v3/messages${query}`, { token, body: { to: [phone], message } }),
    callApi(`POST /v3/chats/${chatId}/polls${query}`, { token, body: { poll: { options } } }),
    callApi(`POST /v3/chats/${chatId}/voicememo${query}`, {
      token,
      body: { attachment_id: crypto.randomUUID() },
    }),
  ]);

  expect(answers.map(({ status, body }) => [status, body.error.code])).toEqual(Array(5).fill([400, 1005]));
  expect(await rows()).toEqual(before);
});

test("dry_run=false sends", async () => {
  const { status } = await callApi(`POST /v3/chats/${chatId}/messages?dry_run=false`, {
    token: account.token,
    body: { message: text("sent") },
  });
  expect(status).toBe(202);
});
