import "@/lib/testing/use-test-database";

import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { Readable } from "node:stream";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as ASSIGNEE from "@/app/api/chats/[chatId]/assignee/route";
import * as NOTES from "@/app/api/chats/[chatId]/notes/route";
import * as ERASURE from "@/app/api/customers/[handle]/erasure/route";
import * as NAME from "@/app/api/customers/[handle]/name/route";
import * as CUSTOMER from "@/app/api/customers/[handle]/route";
import * as REPLAYS from "@/app/api/webhooks/[subscriptionId]/replays/route";
import { receiveMessage } from "@/lib/messaging/inbound/receive-message";
import { openCheckout } from "@/lib/payments/requests/open-checkout";
import { sql } from "@/lib/platform/database/db";
import { wake } from "@/lib/platform/database/wake";
import { env } from "@/lib/platform/env";
import { now } from "@/lib/platform/time/clock";
import { closeChats } from "@/lib/privacy/erasure/close-chats";
import { eraseFiles } from "@/lib/privacy/erasure/erase-messages";
import { KEPT_TABLES } from "@/lib/privacy/erasure/person-tables";
import { performErasure, performNextPart } from "@/lib/privacy/erasure/work-erasures";
import { blockHandle } from "@/lib/recipients/blocks/block-handle";
import { startRequestLog } from "@/lib/runtime/monitoring/observe-requests";
import { importV2Chats } from "@/lib/runtime/v2/import-v2-chats";
import { startWorker, type Worker } from "@/lib/runtime/worker/start-worker";
import { type ApiAnswer, callApi } from "@/lib/testing/call-api";
import { uploadFile } from "@/lib/testing/call-files";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import {
  type FilledRows,
  fillColumn,
  filledColumns,
  insertFilled,
} from "@/lib/testing/database/fill-canaries";
import { containsText, tablesWith } from "@/lib/testing/database/tables-with";
import {
  acceptTestMessage,
  advanceClock,
  createTestPhone,
  eventsOfMessage,
  untilStatus,
  writeAs,
} from "@/lib/testing/factories";
import { lineOf } from "@/lib/testing/line-of";
import { requestCode } from "@/lib/testing/payments/connect-customer";
import { rowOf } from "@/lib/testing/payments/payment-requests";
import { attachCard, makePasskey } from "@/lib/testing/payments/use-wallet";
import { type Receiver, startReceiver } from "@/lib/testing/servers/start-receiver";
import { type DashboardUser, signInAs } from "@/lib/testing/sign-in/sign-in-as";
import { createAuthenticator } from "@/lib/testing/sign-in/software-authenticator";
import { createTestGroup } from "@/lib/testing/test-chats";
import { until } from "@/lib/testing/until";

/** In everything that the person writes or that is written to the person. Files contain it in their bytes. */
const CANARY = "canary-7f3a-sings";
/** The words of others, which stay. */
const OTHERS = "words-of-another";
const LATE_SECONDS = 15 * 60 + 1;

let account: TestAccount;
let admin: DashboardUser;
let worker: Worker;
let receiver: Receiver;

beforeAll(async () => {
  account = await createTestAccount({ type: "sandbox" });
  admin = await signInAs(account, "admin");
  worker = await startWorker();
  receiver = await startReceiver((response) => response.end(receiver.received.at(-1)?.body));
});

afterAll(async () => {
  await worker.stop();
  await receiver.close();
});

async function ok(what: `${string} ${string}`, body?: object) {
  const { status, body: answer } = await callApi(what, { token: account.token, body });
  expect([what, status < 300 ? null : answer]).toEqual([what, null]);
  return answer;
}

const textPart = (value: string) => ({ type: "text", value });
const filePart = (filename: string) => ({
  type: "media",
  data: Buffer.from(`%PDF-1.4\n${CANARY} in ${filename}\n%%EOF`).toString("base64"),
  filename,
});

function filesWith(what: string): string[] {
  return readdirSync(env().DATA_DIR, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes("postgres"))
    .filter((entry) => containsText(readFileSync(path.join(entry.parentPath, entry.name), "latin1"), what))
    .map((entry) => entry.name);
}

async function subscribe(): Promise<string> {
  const { id } = await ok("POST /v3/webhook-subscriptions", {
    target_url: `${receiver.url}?${crypto.randomUUID()}`,
    subscribed_events: ["message.received", "message.sent", "message.delivered", "reaction.added"],
  });
  return id;
}

/** The person talks with the account in a direct chat and in a group, in every way that stores something. */
async function liveThrough(
  person: string,
  subscriptionId: string,
): Promise<{ direct: string; group: string; other: string }> {
  const on = (what: `${string} ${string}`, body: object) => {
    const [method, place] = what.split(" ");
    return ok(`${method} /simulator/phones/${person}/${place}`, body);
  };
  const { chatId: direct, messageId: first } = await writeAs(account, person, {
    to: account.line,
    text: `${CANARY} hello`,
  });
  const write = (parts: object[], to = direct) => on("POST messages", { to, parts });

  await on("POST edits", { message_id: first, text: `${CANARY} edited` });
  await on("POST reactions", { message_id: first, type: "custom", custom_emoji: "🦜" });
  await write([filePart(`${CANARY}.pdf`)]);
  const poll = await write([{ type: "poll", options: [{ text: `${CANARY} yes` }, { text: "no" }] }]);
  const { poll: shown } = await ok(`GET /v3/messages/${poll.message_id}/poll`);
  await on("POST poll_options", { message_id: poll.message_id, options: [{ text: `${CANARY} maybe` }] });
  await on("POST votes", { message_id: poll.message_id, option_id: shown.options[0].option_id });
  await on("POST location", { to: direct, position: { longitude: 13.4, latitude: 52.5, address: CANARY } });
  await write([textPart(`please stop texting me ${CANARY}`)]);

  const sent = await acceptTestMessage(account, direct, `${CANARY} from us`, {
    idempotency_key: `k ${person}`,
  });
  await untilStatus(account, sent, "delivered");
  await ok(`POST /v3/messages/${sent}/reactions`, { operation: "add", type: "love" });
  await sendUploaded(direct);
  await ok(`POST /v3/chats/${direct}/typing`);
  await ok("POST /v3/contact_card", { phone_number: account.line, first_name: "Ours" });
  await ok(`POST /v3/chats/${direct}/share_contact_card`);
  await importV2Chats(
    account.context(),
    Readable.from([`v2_chat_id,line,handles\n7,${account.line},${person}`]),
  );
  await ok("POST /v3/capability/check_imessage", { address: person });
  await callApi(`GET /v3/chats?to=${encodeURIComponent(person)}`, { token: account.token });

  await admin.call(NAME.PUT, { method: "PUT", params: { handle: person }, body: { name: `${CANARY} Jane` } });
  await admin.call(NOTES.POST, {
    method: "POST",
    params: { chatId: direct },
    body: { text: `${CANARY} note` },
  });
  await admin.call(ASSIGNEE.PUT, { method: "PUT", params: { chatId: direct }, body: { user_id: admin.id } });
  await pay(person, direct);
  await replay(subscriptionId);

  const { chatId: group, phones } = await createTestGroup(account, 2);
  const [other = ""] = phones;
  await ok(`POST /v3/chats/${group}/participants`, { handle: person });
  await until(async () => (await ok(`GET /v3/chats/${group}`)).handles.length === 4);
  await on("POST messages", {
    to: group,
    parts: [textPart(`${CANARY} to all`), filePart(`${CANARY}-g.pdf`)],
  });
  const { messageId } = await writeAs(account, other, { to: group, text: OTHERS });
  await on("POST reactions", { message_id: messageId, type: "custom", custom_emoji: "🦜" });

  await ok("POST /simulator/snapshots", { name: "with the person" });
  await on("POST messages", { to: direct, parts: [textPart("STOP")] });
  await ok(`POST /v3/chats/${direct}/messages`, {
    message: { parts: [textPart(`${CANARY} anyway`)] },
    override_optout: true,
  });
  await ok("POST /simulator/faults", { match: { handle: person }, effect: { type: "duplicate" } });
  return { direct, group, other };
}

async function sendUploaded(chatId: string): Promise<void> {
  const content = Buffer.from(`%PDF-1.4\n${CANARY}\n%%EOF`);
  const file = await ok("POST /v3/attachments", {
    filename: `${CANARY}-invoice.pdf`,
    content_type: "application/pdf",
    size_bytes: content.length,
  });
  expect((await uploadFile(file, content)).status).toBe(200);
  const message = { parts: [{ type: "media", attachment_id: file.attachment_id }] };
  const sent = await ok(`POST /v3/chats/${chatId}/messages`, { message });
  await untilStatus(account, sent.message.id, "delivered");
}

async function replay(subscriptionId: string): Promise<void> {
  const json_path = `$.message.parts[*].value like_regex "${CANARY}"`;
  const filter = { statuses: ["delivered"], json_path };
  const call = { method: "POST", params: { subscriptionId }, body: { filter } } as const;
  expect((await admin.call(REPLAYS.POST, call)).status).toBeLessThan(300);
}

async function pay(person: string, direct: string): Promise<void> {
  const request = await ok("POST /v3/payment_requests", {
    amount: 1250,
    currency: "usd",
    description: `${CANARY} dinner`,
    metadata: { note: CANARY },
    receipt_email: `${CANARY}@example.com`,
    payer_handle: person,
  });
  await ok(`POST /v3/chats/${direct}/messages`, {
    message: { parts: [{ type: "link", value: request.checkout_url }] },
  });
  await openCheckout(await rowOf(account, request.id));
  const { connectId, code } = await requestCode(account, person);
  await ok(`POST /v3/payments/handles/${person}/verify`, { code, connect_id: connectId });
  const shoes = { amount_cents: 4200, currency: "usd", handle: person, description: `${CANARY} shoes` };
  const { attach_url } = await ok("POST /v3/payments", shoes);
  await attachCard(attach_url);
  expect((await makePasskey(attach_url, createAuthenticator())).status).toBeLessThan(300);
}

/**
 * The rows about the person of each table with columns that an erasure empties or searches. null = the row is written by
 * the erasure itself.
 */
function rowsAbout(person: string, direct: string): Record<string, FilledRows | null> {
  const own = (where: string, ...values: unknown[]): FilledRows => ({
    where: `account_id = $1 and ${where}`,
    values: [account.ref.id, ...values],
  });
  const all = own("true");
  const requests = "select payment_request_id::text from payment_request_messages where chat_id = $2";
  const senders = "select id from participants where handle = $2";
  return {
    account_notices: all,
    agent_payments: own("handle = $2", person),
    api_requests: own(
      "(chat_id = $2 or concat(path, request_body, response_body) like '%' || $3 || '%')",
      direct,
      person,
    ),
    attachments: all,
    audit_entries: own("(object_id = $2 or strpos(detail::text, $3) > 0)", direct, person),
    chat_actions: all,
    chat_team_entries: all,
    chats: own("recipient_handle = $2", person),
    events: own("(chat_id = $2 or strpos(data::text, $3) > 0)", direct, person),
    messages: own(`(chat_id = $3 or sender_id in (${senders}))`, person, direct),
    opt_outs: own("handle = $2", person),
    participants: own("handle = $2", person),
    payment_requests: own(`id::text in (${requests})`, direct),
    person_erasures: null,
    reputation_audits: all,
    sandbox_orders: own(`key in (${requests})`, direct),
    scheduled_messages: all,
    simulator_actions: own("$2 = any(handles)", person),
    simulator_faults: all,
    simulator_messages: own("(handle = $2 or sender = $2)", person),
    webhook_attempts: all,
    webhook_replays: all,
  };
}

/** Whether an erasure empties the column: `table.column`. */
function isEmptied(name: string): boolean {
  const [table = "", column = ""] = name.split(".");
  return KEPT_TABLES[table]?.emptied?.includes(column) === true;
}

/** Columns that say whose the rows are, of which the erasure has only these. */
const OWNERS = ["handle", "handles", "payer_handle", "recipient_handle", "sender"];

/** Fills what an erasure of the person must empty with canaries, and what it must search with the handle. */
async function fillAbout(person: string, direct: string): Promise<void> {
  await insertFilled("account_notices", account.ref.id);
  await insertFilled("chat_actions", account.ref.id, { run_at: "'2100-01-01'" });
  const line_id = `(select id from lines where account_id = '${account.ref.id}' limit 1)`;
  await insertFilled("reputation_audits", account.ref.id, { line_id, status: "'complete'" });
  const group = `(select id from chats where account_id = '${account.ref.id}' and is_group limit 1)`;
  for (const chat_id of [`'${direct}'`, group]) {
    await insertFilled("scheduled_messages", account.ref.id, {
      chat_id,
      due_at: "'2100-01-01'",
      idempotency_key: "null",
    });
  }
  const about = rowsAbout(person, direct);
  const treated = Object.entries(KEPT_TABLES).filter(([, { emptied, searched }]) => emptied ?? searched);
  expect(Object.keys(about)).toEqual(treated.map(([table]) => table).sort());
  const unfilled: string[] = [];
  for (const [table, { emptied = [], searched = [] }] of treated) {
    const rows = about[table];
    for (const column of new Set([...emptied, ...searched])) {
      if (rows == null || OWNERS.includes(column)) continue;
      const text = emptied.includes(column) ? undefined : ` ${person} `;
      if ((await fillColumn(table, column, rows, text)) === 0) unfilled.push(`${table}.${column}`);
    }
  }
  expect(unfilled).toEqual([]);
}

const erase = (handle: string, user = admin, confirmation = handle): Promise<ApiAnswer> =>
  user.call(ERASURE.POST, { method: "POST", params: { handle }, body: { confirmation } });

async function erasureOf(handle: string) {
  return (await admin.call(CUSTOMER.GET, { params: { handle } })).body.erasure;
}

async function untilErased(handle: string): Promise<void> {
  await until(async () => (await erasureOf(handle))?.erased_at !== null);
}

async function untilEnded(handle: string): Promise<void> {
  await untilErased(handle);
  advanceClock(LATE_SECONDS);
  wake("erasures");
  await until(async () => (await erasureOf(handle))?.ended_at !== null);
}

describe("an erased person", () => {
  test("is in no table and no file, and others keep what they wrote", async () => {
    const subscriptionId = await subscribe();
    const requestLog = startRequestLog();
    const person = await createTestPhone(account);
    const { direct, group, other } = await liveThrough(person, subscriptionId);
    await until(async () => (await tablesWith(`${CANARY} from us`)).includes("webhook_attempts"));
    await requestLog.stop();
    const before = new Set([...(await tablesWith(CANARY)), ...(await tablesWith(person))]);
    expect([...before].sort()).toMatchInlineSnapshot(`
      [
        "agent_payments",
        "api_requests",
        "attachments",
        "audit_entries",
        "chat_team_entries",
        "chats",
        "contact_card_shares",
        "contacts",
        "events",
        "handle_capabilities",
        "handle_connections",
        "line_contacts",
        "location_shares",
        "message_edits",
        "messages",
        "opt_out_hints",
        "opt_out_overrides",
        "opt_outs",
        "participants",
        "passkey_enrollments",
        "passkeys",
        "payment_requests",
        "poll_options",
        "sandbox_orders",
        "servicecard_wallets",
        "simulator_actions",
        "simulator_faults",
        "simulator_messages",
        "simulator_phones",
        "simulator_snapshot_tables",
        "v2_chats",
        "webhook_attempts",
        "webhook_replays",
      ]
    `);
    expect(filesWith(CANARY)).not.toEqual([]);
    await fillAbout(person, direct);

    expect((await erase(person)).status).toBe(202);
    await untilEnded(person);

    expect((await filledColumns()).filter(isEmptied)).toEqual([]);
    for (const trace of [CANARY, person, person.slice(1), encodeURIComponent(person), "🦜"]) {
      expect([trace, await tablesWith(trace)]).toEqual([trace, []]);
      expect([trace, filesWith(trace)]).toEqual([trace, []]);
    }
    expect((await callApi(`GET /v3/chats/${direct}`, { token: account.token })).status).toBe(404);
    const { body } = await callApi(`GET /v3/chats/${group}/messages`, { token: account.token });
    expect(JSON.stringify(body)).toContain(OTHERS);
    const { handles } = await ok(`GET /v3/chats/${group}`);
    const statuses = handles.map(({ handle, status }: Record<string, string>) => [handle, status]);
    expect(statuses).toContainEqual([other, "active"]);
    expect(statuses).toContainEqual([expect.stringMatching(/^erased-/), "left"]);
  });
});

/** A chat with the person, and a worker that erases it all when asked. */
async function talk(person: string): Promise<string> {
  return (await writeAs(account, person, { to: account.line, text: `${CANARY} hello` })).chatId;
}

async function eraseNow(person: string): Promise<string> {
  const { body } = await erase(person);
  await untilErased(person);
  return body.id;
}

const receive = async (person: string, text: string, more: object = {}) =>
  receiveMessage(await lineOf(account), {
    type: "message",
    ref: crypto.randomUUID(),
    from: person,
    others: [],
    groupRef: null,
    service: "iMessage",
    at: now(),
    parts: [{ type: "text", value: text }],
    ...more,
  });

const sendFirst = (person: string) =>
  callApi("POST /v3/chats", {
    token: account.token,
    body: { from: account.line, to: [person], message: { parts: [textPart("hello again")] } },
  });

describe("a refusal outlives the erasure", () => {
  test("an opted-out person is not messaged, until the person writes again", async () => {
    const person = await createTestPhone(account);
    await talk(person);
    await writeAs(account, person, { to: account.line, text: "STOP" });
    await eraseNow(person);
    expect(await sql.runText({ text: "select 1 from contacts where handle = $1", values: [person] })).toEqual(
      [],
    );

    const refused = await sendFirst(person);
    expect([refused.status, refused.body.error?.code]).toEqual([403, 2024]);
    expect((await sendFirst(person)).body.error?.code).toBe(2024);
    await receive(person, "I am back");
    expect((await sendFirst(person)).status).toBe(201);
  });

  test("messages of a blocked person are dropped without a trace", async () => {
    const person = await createTestPhone(account);
    await talk(person);
    await blockHandle(account.context(), { body: { handle: person } });
    await eraseNow(person);

    expect(await receive(person, `${CANARY} let me in`)).toBeNull();
    expect(await tablesWith(person)).toEqual(["contacts", "person_erasures"]);
  });
});

test("a message that arrives during the erasure is erased or stored whole", async () => {
  const person = await createTestPhone(account);
  const old = await talk(person);
  const texts = Array.from({ length: 40 }, (_, index) => `arriving ${index} ${person}`);
  const arrivals = (async () => {
    for (const text of texts) await receive(person, text);
  })();
  await erase(person);
  await arrivals;
  await untilEnded(person);

  const rows = await sql.runText<{ id: string; chat_id: string; text: string }>({
    text: `select m.id, m.chat_id, m.parts -> 0 ->> 'value' as text from messages m
           join participants p on p.account_id = m.account_id and p.id = m.sender_id
           where m.account_id = $1 and p.handle = $2 order by m.position`,
    values: [account.ref.id, person],
  });
  expect(rows.map(({ text }) => text)).toEqual(texts.slice(texts.length - rows.length));
  expect(new Set(rows.map(({ chat_id }) => chat_id)).size).toBeLessThan(2);
  expect(rows.map(({ chat_id }) => chat_id)).not.toContain(old);
  for (const { id } of rows) expect(await eventsOfMessage(account, id)).toHaveLength(1);
  const gone = texts.slice(0, texts.length - rows.length);
  for (const text of gone) expect([text, await tablesWith(text)]).toEqual([text, []]);
});

test("two processes that perform the same erasure, and a part that is repeated, erase once", async () => {
  await worker.stop();
  try {
    const person = await createTestPhone(account);
    const chatId = await talk(person);
    for (let index = 0; index < 3; index++) await acceptTestMessage(account, chatId, `${CANARY} ${index}`);
    const { body } = await erase(person);
    expect((await erase(person)).body.id).toBe(body.id);

    await Promise.all([performErasure(account.ref.id, body.id), performErasure(account.ref.id, body.id)]);

    const erasure = await erasureOf(person);
    expect(erasure.erased_at).not.toBeNull();
    expect(erasure.counts).toMatchObject({ messages: 4, chats: 1 });
    const audited = await sql.runText({
      text: "select 1 from audit_entries where action = 'person.erased' and object_id = $1",
      values: [body.id],
    });
    expect(audited).toHaveLength(1);
  } finally {
    worker = await startWorker();
  }
});

test("a process that dies after it deleted a file leaves the rest to another", async () => {
  await worker.stop();
  const person = await createTestPhone(account);
  await talk(person);
  const body = { to: account.line, parts: [filePart("left.pdf")] };
  await ok(`POST /simulator/phones/${person}/messages`, body);
  const { body: erasure } = await erase(person);
  let done = await performNextPart(account.ref.id, erasure.id);
  while (done !== null && done.step !== closeChats.name)
    done = await performNextPart(account.ref.id, erasure.id);
  if (done === null) throw new Error("the chats were not closed");
  await eraseFiles.prepare?.({ ...done, step: eraseFiles.name });
  expect(filesWith("left.pdf")).toEqual([]);

  worker = await startWorker();
  await untilEnded(person);
  expect(await tablesWith("left.pdf")).toEqual([]);
});

test("sends that wait for the person are not made, and the chat rejects new ones", async () => {
  await worker.stop();
  try {
    const person = await createTestPhone(account);
    const chatId = await talk(person);
    const id = await acceptTestMessage(account, chatId, `${CANARY} waits`);
    const { body } = await erase(person);
    await performErasure(account.ref.id, body.id);
    const [row] = await sql.runText<{ dispatch_at: Date | null; parts: unknown[] }>({
      text: "select dispatch_at, parts from messages where id = $1",
      values: [id],
    });
    expect(row).toEqual({ dispatch_at: null, parts: [] });
    const answer = await callApi(`POST /v3/chats/${chatId}/messages`, {
      token: account.token,
      body: { message: { parts: [textPart("too late")] } },
    });
    expect([answer.status, answer.body.error.code]).toEqual([409, 2013]);
  } finally {
    worker = await startWorker();
  }
});

test("a file that another person got too stays", async () => {
  const [person, other] = [await createTestPhone(account), await createTestPhone(account)];
  const chats = [await talk(person), await talk(other)];
  const content = Buffer.from("%PDF-1.4\nfor both\n%%EOF");
  const about = { filename: "both.pdf", content_type: "application/pdf", size_bytes: content.length };
  const file = await ok("POST /v3/attachments", about);
  await uploadFile(file, content);
  for (const chatId of chats) {
    const message = { parts: [{ type: "media", attachment_id: file.attachment_id }] };
    await ok(`POST /v3/chats/${chatId}/messages`, { message });
  }
  await eraseNow(person);
  expect((await ok(`GET /v3/attachments/${file.attachment_id}`)).status).toBe("complete");
});

test("only an admin erases, with the handle typed once more", async () => {
  const person = await createTestPhone(account);
  await talk(person);
  const developer = await signInAs(account, "developer");
  expect((await erase(person, developer)).body.error.code).toBe(2005);
  const { status, body } = await erase(person, admin, "+15550109999");
  expect([status, body.error.code]).toEqual([400, 1005]);
  expect(await erasureOf(person)).toBeNull();
});

test("a person that the account does not know is erased too", async () => {
  expect((await erase("unknown@example.com")).status).toBe(202);
  await untilEnded("unknown@example.com");
  expect(await tablesWith("unknown@example.com")).toEqual([]);
});

test("the report says until when backups contain the person", async () => {
  const person = await createTestPhone(account);
  await talk(person);
  await eraseNow(person);
  expect((await erasureOf(person)).in_backups).toBeNull();
  const madeAt = new Date(Date.now() - 3_600_000);
  await sql.runText({
    text: `insert into instance_backups (id, folder, database, started_at, ended_at)
           values (gen_random_uuid(), '/backups/one', 'cluster', $1, $1)`,
    values: [madeAt],
  });
  const newest = madeAt.toISOString();
  expect((await erasureOf(person)).in_backups).toEqual({ newest, until: null });
  await sql.runText({ text: "delete from instance_backups" });
});
