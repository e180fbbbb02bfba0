import "@/lib/testing/use-test-database";

import { execFileSync } from "node:child_process";
import { afterEach, beforeEach, expect, test } from "vitest";
import { POST as replaysRoute } from "@/app/api/webhooks/[subscriptionId]/replays/route";
import { allTransports } from "@/lib/adapters/transports/registry";
import { startAttachmentSweep } from "@/lib/attachments/retention/sweep-attachments";
import { updateAccountOptions } from "@/lib/identity/accounts/update-account-options";
import { startActions } from "@/lib/messaging/actions/perform-actions";
import { startDispatch } from "@/lib/messaging/dispatch/dispatch-messages";
import { expireContent } from "@/lib/messaging/expiry/expire-content";
import { prisma, sql } from "@/lib/platform/database/db";
import { env } from "@/lib/platform/env";
import { now } from "@/lib/platform/time/clock";
import { startRequestLog } from "@/lib/runtime/monitoring/observe-requests";
import { inboundSink } from "@/lib/runtime/wiring/inbound-sink";
import { callApi } from "@/lib/testing/call-api";
import { type UploadedFile, uploadFile } from "@/lib/testing/call-files";
import { captureLog } from "@/lib/testing/capture-log";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { fillColumn, filledColumns } from "@/lib/testing/database/fill-canaries";
import { tablesWith } from "@/lib/testing/database/tables-with";
import {
  acceptTestMessage,
  advanceClock,
  createDirectChat,
  createTestPhone,
  eventsOfMessage,
  untilStatus,
  writeAs,
} from "@/lib/testing/factories";
import { startReceiver } from "@/lib/testing/servers/start-receiver";
import { signInAs } from "@/lib/testing/sign-in/sign-in-as";
import { until } from "@/lib/testing/until";
import { startWebhookDelivery } from "@/lib/webhooks/deliveries/deliver-webhooks";

const WINDOW_MINUTES = 60;
const never = new AbortController().signal;

let account: TestAccount;
let canaries = 0;
const logged = captureLog();
let running: { stop(): Promise<void> }[] = [];

beforeEach(async () => {
  account = await createTestAccount({ type: "sandbox" });
});

afterEach(async () => {
  await Promise.all(running.map((part) => part.stop()));
  running = [];
  await sql.runText({ text: "update accounts set retention_minutes = null" });
});

function newCanary(): string {
  return `canary${++canaries}sings`;
}

function start(): void {
  for (const transport of allTransports()) if (transport.start) running.push(transport.start(inboundSink));
  running.push(startDispatch(), startActions(), startWebhookDelivery());
}

function keepFor(minutes: number | null) {
  return updateAccountOptions(account.context(), { body: { retention_minutes: minutes } });
}

// Moves the clock forward only, because a process's ids never go back either.
function pass(minutes: number): void {
  advanceClock(minutes * 60);
}

function call(route: `${string} ${string}`, body?: object) {
  return callApi(route, { token: account.token, ...(body && { body }) });
}

async function subscribe(target: string, events: string[]): Promise<string> {
  const { body } = await call("POST /v3/webhook-subscriptions", {
    target_url: target,
    subscribed_events: events,
  });
  return body.id;
}

async function upload(name: string, content: string): Promise<UploadedFile> {
  const size = Buffer.byteLength(content);
  const file = { filename: `${name}.txt`, content_type: "text/plain", size_bytes: size };
  const { body } = await call("POST /v3/attachments", file);
  expect((await uploadFile(body, Buffer.from(content))).status).toBe(200);
  return body;
}

function filesWith(text: string): string[] {
  const found = execFileSync("sh", ["-c", 'grep -rlF -- "$1" "$2" || true', "sh", text, env().DATA_DIR]);
  return found.toString().split("\n").filter(Boolean);
}

/** Copies the chat's only message, with ids before its own. */
async function addEarlierMessages(chatId: string, count: number): Promise<void> {
  await sql.runText({
    text: `insert into messages (account_id, id, chat_id, line_id, sender_id, is_from_me, parts, delivery_status, trace_id,
             created_at, updated_at)
           select m.account_id, (left(m.id::text, 24) || lpad(n::text, 12, '0'))::uuid, m.chat_id, m.line_id, m.sender_id,
             false, m.parts, 'received', m.trace_id, m.created_at, m.updated_at
           from messages m cross join generate_series(1, $2) n where m.chat_id = $1`,
    values: [chatId, count],
  });
}

/** The columns with content of messages, and of receivers' responses that may quote them. */
const CONTENT: Readonly<Record<string, readonly string[]>> = {
  api_requests: ["request_body", "response_body"],
  message_edits: ["text"],
  messages: ["parts", "effect", "reply_to"],
  poll_options: ["text"],
  reactions: ["emoji", "image", "placement"],
  simulator_actions: ["action"],
  simulator_messages: ["parts", "effect"],
  webhook_attempts: ["response_body", "response_headers"],
};

async function fillContent(): Promise<void> {
  const rows = { where: "account_id = $1", values: [account.ref.id] };
  for (const [table, columns] of Object.entries(CONTENT))
    for (const column of columns)
      expect([table, column, await fillColumn(table, column, rows)]).not.toEqual([table, column, 0]);
}

test("when retention is over nothing in the database or the files holds what was said, wherever it went", async () => {
  const canary = newCanary();
  const kept = newCanary();
  await updateAccountOptions(account.context(), {
    body: { retention_minutes: WINDOW_MINUTES, attachment_tier: "ephemeral" },
  });
  const phone = await createTestPhone(account);
  const chatId = await createDirectChat(account, phone);
  const receiver = await startReceiver((response) => response.end(receiver.received.at(-1)?.body));
  const subscriptionId = await subscribe(receiver.url, [
    "message.sent",
    "message.received",
    "message.edited",
    "reaction.added",
    "poll.sent",
    "poll.updated",
  ]);
  const requestLog = startRequestLog();
  start();

  const file = await upload(canary, `the ${canary} in a file`);
  const parts = [
    { type: "text", value: canary },
    { type: "media", attachment_id: file.attachment_id },
  ];
  const sent = await call(`POST /v3/chats/${chatId}/messages`, {
    message: { parts, idempotency_key: "once" },
  });
  const id: string = sent.body.message.id;
  await untilStatus(account, id, "delivered");
  await call(`PATCH /v3/messages/${id}`, { text: `${canary} edited` });
  await call(`POST /v3/messages/${id}/reactions`, { operation: "add", type: "custom", custom_emoji: "🐤" });
  const inbound = await writeAs(account, phone, { to: account.line, text: `stop ${canary}` });
  await call(`POST /simulator/phones/${phone}/messages`, { to: account.line, text: `more ${canary}` });
  await call(`POST /simulator/phones/${phone}/edits`, {
    message_id: inbound.messageId,
    text: `no ${canary}`,
  });
  await call(`POST /simulator/phones/${phone}/reactions`, {
    message_id: id,
    type: "custom",
    custom_emoji: "🐤",
  });
  await call(`POST /v3/chats/${chatId}/messages`, {
    message: { parts: [{ type: "text", value: canary }, 3] },
  });
  await call(`GET /v3/chats/${chatId}/messages`);
  const options = [{ text: `at ${canary}` }, { text: "elsewhere" }];
  const poll = await call(`POST /v3/chats/${chatId}/polls`, { poll: { options } });
  await untilStatus(account, poll.body.message_id, "delivered");
  await call(`POST /v3/messages/${poll.body.message_id}/poll/options`, {
    // Accounts that store no content repeat the earlier options (docs/contract.md, section 8.3).
    options: [...options, { text: `or ${canary}` }],
  });
  await until(async () => (await prisma().webhookDelivery.count({ where: { status: "delivered" } })) >= 9);
  await until(async () => (await prisma().chatAction.count()) === 0);
  const developer = await signInAs(account, "developer");
  const replay = { filter: { statuses: ["delivered"], json_path: `$.** ? (@ == "${canary}")` } };
  await developer.call(replaysRoute, { method: "POST", params: { subscriptionId }, body: replay });
  await requestLog.stop();
  expect(await tablesWith(canary)).toEqual(
    expect.arrayContaining([
      "api_requests",
      "attachments",
      "events",
      "message_edits",
      "messages",
      "poll_options",
      "simulator_actions",
      "simulator_messages",
      "webhook_attempts",
    ]),
  );
  expect(filesWith(canary)).toHaveLength(1);
  await fillContent();
  await sql.runText({ text: "update webhook_replays set ended_at = now(), state = 'done', run_at = null" });

  pass(WINDOW_MINUTES + 1);
  const young = await acceptTestMessage(account, chatId, kept);
  expect(await expireContent(never)).toBe(5);
  running.push(startAttachmentSweep());
  await until(async () => (await prisma().attachment.count({ where: { id: file.attachment_id } })) === 0);

  expect(await filledColumns()).toEqual([]);
  expect(await tablesWith(canary)).toEqual([]);
  expect(await tablesWith("🐤")).toEqual([]);
  expect(filesWith(canary)).toEqual([]);
  expect(await tablesWith(kept)).toEqual(expect.arrayContaining(["messages"]));

  expect(await call(`GET /v3/messages/${id}`)).toMatchObject({
    status: 404,
    body: { error: { code: 2002 } },
  });
  expect((await call(`GET /v3/messages/${id}/thread`)).status).toBe(404);
  const listed = await call(`GET /v3/chats/${chatId}/messages`);
  expect(listed.body.messages.map((message: { id: string }) => message.id)).toEqual([young]);
  const repeat = await call(`POST /v3/chats/${chatId}/messages`, {
    message: { parts, idempotency_key: "once" },
  });
  expect(repeat).toMatchObject({ status: 404, body: { error: { code: 2002 } } });
  const row = await prisma().message.findFirstOrThrow({ where: { id } });
  expect(row).toMatchObject({ deliveryStatus: "delivered", idempotencyKey: "once", isFromMe: true });
  expect(row.deliveredAt).not.toBeNull();
  expect((await eventsOfMessage(account, id)).map(({ type }) => type)).toContain("message.sent");
  await receiver.close();
});

test("no message expires without a window, and a window counts from created_at", async () => {
  const chatId = await createDirectChat(account, await createTestPhone(account));
  const old = await acceptTestMessage(account, chatId);
  const statusOf = async (id: string) => (await call(`GET /v3/messages/${id}`)).status;
  pass(30 * 24 * 60);
  expect(await expireContent(never)).toBe(0);
  expect(await statusOf(old)).toBe(200);

  const id = await acceptTestMessage(account, chatId);
  await keepFor(WINDOW_MINUTES);
  pass(WINDOW_MINUTES - 1);
  expect(await expireContent(never)).toBe(2);
  expect([await statusOf(old), await statusOf(id)]).toEqual([404, 200]);

  pass(2);
  expect(await expireContent(never)).toBe(1);
  expect(await expireContent(never)).toBe(0);
  expect(await statusOf(id)).toBe(404);
});

test("one sweep handles more than a batch; after an abort, the next continues where it ended", async () => {
  const chatId = await createDirectChat(account, await createTestPhone(account));
  await addEarlierMessages(chatId, 650);
  await keepFor(WINDOW_MINUTES);
  pass(WINDOW_MINUTES + 1);
  const stop = new AbortController();

  const sweeping = expireContent(stop.signal);
  await until(
    async () => (await prisma().message.count({ where: { chatId, deletedAt: { not: null } } })) > 0,
  );
  stop.abort();
  const first = await sweeping;

  expect(first).toBeGreaterThan(0);
  expect(first + (await expireContent(never))).toBe(651);
  expect(await prisma().message.count({ where: { chatId, deletedAt: null } })).toBe(0);
});

test("a complete sweep records how far it came; an aborted one records nothing", async () => {
  const erasedTo = async () =>
    (await prisma().account.findFirstOrThrow({ where: { id: account.ref.id } })).erasedTo?.getTime();
  await keepFor(WINDOW_MINUTES);

  const stop = new AbortController();
  const sweeping = expireContent(stop.signal);
  stop.abort();
  await sweeping;
  expect(await erasedTo()).toBeUndefined();
  const earliest = now().getTime() - WINDOW_MINUTES * 60_000;
  expect(await expireContent(never)).toBe(0);
  expect(await erasedTo()).toBeGreaterThanOrEqual(earliest);
  expect(await erasedTo()).toBeLessThanOrEqual(now().getTime() - WINDOW_MINUTES * 60_000);
});

test("an account whose content cannot be erased does not hold up the others, and is reported", async () => {
  const next = await createTestAccount({ type: "sandbox" });
  const phone = await createTestPhone(next);
  const chatId = await createDirectChat(next, phone);
  await createDirectChat(account, await createTestPhone(account));
  await prisma().account.updateMany({
    where: { id: { in: [account.ref.id, next.ref.id] } },
    data: { retentionMinutes: WINDOW_MINUTES },
  });
  pass(WINDOW_MINUTES + 1);
  await sql.runText({
    text: `create function refuse_erasure() returns trigger language plpgsql as
           $$ begin raise exception 'the disk is full'; end $$`,
  });
  await sql.runText({
    text: `create trigger refuse_erasure before update on messages for each row
           when (old.account_id = '${account.ref.id}') execute function refuse_erasure()`,
  });

  expect(await expireContent(never)).toBeGreaterThan(0);
  expect(await prisma().message.count({ where: { chatId, deletedAt: null } })).toBe(0);
  expect(logged.filter((line) => line.includes(account.ref.id))).toEqual([
    expect.stringContaining("expired content was not erased and will be retried"),
  ]);

  await sql.runText({ text: "drop function refuse_erasure() cascade" });
  expect(await expireContent(never)).toBeGreaterThan(0);
});

test("an answer that echoes a message which expired while it was delivered is not kept", async () => {
  const canary = newCanary();
  const answers: (() => void)[] = [];
  const receiver = await startReceiver((response) => {
    answers.push(() => response.end(receiver.received.at(-1)?.body));
  });
  await subscribe(receiver.url, ["message.received"]);
  await keepFor(WINDOW_MINUTES);
  const phone = await createTestPhone(account);
  await writeAs(account, phone, { to: account.line, text: canary });
  running.push(startWebhookDelivery({ answerMs: 10_000 }));
  await until(async () => answers.length === 1);
  expect(receiver.received[0]?.body).toContain(canary);

  pass(WINDOW_MINUTES + 1);
  expect(await expireContent(never)).toBe(1);
  for (const answer of answers) answer();
  await until(
    async () => (await prisma().webhookAttempt.count({ where: { accountId: account.ref.id } })) === 1,
  );

  expect(await tablesWith(canary)).toEqual([]);
  await receiver.close();
});

test("an answer that was stored beside the sweep is found by the next, also among more than 1,000 messages", async () => {
  const canary = newCanary();
  const receiver = await startReceiver();
  await subscribe(receiver.url, ["message.received"]);
  await keepFor(WINDOW_MINUTES);
  const { chatId } = await writeAs(account, await createTestPhone(account), {
    to: account.line,
    text: canary,
  });
  await addEarlierMessages(chatId, 1000);
  running.push(startWebhookDelivery());
  await until(
    async () => (await prisma().webhookAttempt.count({ where: { accountId: account.ref.id } })) === 1,
  );
  pass(WINDOW_MINUTES + 1);
  await expireContent(never);
  await sql.runText({
    text: "update webhook_attempts set response_body = $2 where account_id = $1",
    values: [account.ref.id, canary],
  });

  pass(5);
  await expireContent(never);

  expect(await tablesWith(canary)).toEqual([]);
  await receiver.close();
});

test("each message is written once when it expires, and copies without content are not written", async () => {
  const receiver = await startReceiver((response) => response.end());
  await subscribe(receiver.url, ["message.sent"]);
  await keepFor(WINDOW_MINUTES);
  const chatId = await createDirectChat(account, await createTestPhone(account));
  start();
  const id = await acceptTestMessage(account, chatId);
  await untilStatus(account, id, "delivered");
  await until(
    async () => (await prisma().webhookAttempt.count({ where: { accountId: account.ref.id } })) === 1,
  );
  const copies = () =>
    sql.runText<{ of: string; place: string }>({
      text: `select type as of, tableoid || ' ' || ctid::text as place from events where message_id = $1
             union all select 'attempt', tableoid || ' ' || ctid::text from webhook_attempts where account_id = $2
             order by 1`,
      values: [id, account.ref.id],
    });
  const before = await copies();
  await sql.runText({ text: "create sequence message_writes" });
  await sql.runText({
    text: `create function count_write() returns trigger language plpgsql as
           $$ begin perform nextval('message_writes'); return new; end $$`,
  });
  await sql.runText({
    text: `create trigger count_write before update on messages for each row
           when (old.id = '${id}') execute function count_write()`,
  });

  pass(WINDOW_MINUTES + 1);
  await expireContent(never);

  const [writes] = await sql.runText<{ count: string }>({
    text: "select last_value as count from message_writes",
  });
  expect(Number(writes?.count)).toBe(1);
  const places = new Map(before.map(({ of, place }) => [of, place]));
  const moved = (await copies()).filter(({ of, place }) => places.get(of) !== place).map(({ of }) => of);
  expect(places.size).toBe(before.length);
  expect(moved).toEqual(["message.delivered", "message.sent"]);

  await sql.runText({ text: "drop function count_write() cascade" });
  await sql.runText({ text: "drop sequence message_writes" });
  await receiver.close();
});

test("a message that its line never sent before it expired fails with 4002, once", async () => {
  const chatId = await createDirectChat(account, await createTestPhone(account));
  await subscribe("https://example.com/failed", ["message.failed"]);
  await sql.runText({
    text: "update lines set is_up = false where account_id = $1",
    values: [account.ref.id],
  });
  await keepFor(WINDOW_MINUTES);
  const canary = newCanary();
  const id = await acceptTestMessage(account, chatId, canary);

  pass(WINDOW_MINUTES + 1);
  await expireContent(never);
  await expireContent(never);

  const events = await eventsOfMessage(account, id);
  expect(events).toMatchObject([{ type: "message.failed", data: { failure: { code: 4002 } } }]);
  expect(await tablesWith(canary)).toEqual([]);
});

test("an ephemeral file goes with the last message that shows it; a persistent one stays", async () => {
  const chatId = await createDirectChat(account, await createTestPhone(account));
  const persistent = await upload("kept", "kept");
  await updateAccountOptions(account.context(), {
    body: { retention_minutes: WINDOW_MINUTES, attachment_tier: "ephemeral" },
  });
  const ephemeral = await upload("shown", "shown twice");
  const show = (file: UploadedFile) =>
    call(`POST /v3/chats/${chatId}/messages`, {
      message: { parts: [{ type: "media", attachment_id: file.attachment_id }] },
    });
  for (const file of [persistent, ephemeral]) expect((await show(file)).status).toBe(202);
  pass(WINDOW_MINUTES - 10);
  await show(ephemeral);
  running.push(startAttachmentSweep());

  pass(11);
  await expireContent(never);
  const due = () =>
    sql.runText<{ id: string }>({
      text: "select id from attachments where expires_at <= $1",
      values: [now()],
    });
  expect(await due()).toEqual([]);

  pass(WINDOW_MINUTES);
  await expireContent(never);
  await until(
    async () => (await prisma().attachment.count({ where: { id: ephemeral.attachment_id } })) === 0,
  );
  expect((await call(`GET /v3/attachments/${ephemeral.attachment_id}`)).status).toBe(404);
  expect((await call(`GET /v3/attachments/${persistent.attachment_id}`)).status).toBe(200);
});

test("switching it emits zero_day_retention.updated, without the window", async () => {
  await subscribe("https://example.com/retention", ["zero_day_retention.updated"]);
  for (const minutes of [60, 60, 120, null]) await keepFor(minutes);

  const events = await prisma().event.findMany({
    where: { accountId: account.ref.id, type: "zero_day_retention.updated" },
    orderBy: { seq: "asc" },
  });
  expect(events.map(({ data }) => data)).toMatchObject([
    { change: { from: false, to: true } },
    { change: { from: true, to: true } },
    { change: { from: true, to: false } },
  ]);
  expect(JSON.stringify(events.map(({ data }) => data))).not.toMatch(/120|minutes/);
});
