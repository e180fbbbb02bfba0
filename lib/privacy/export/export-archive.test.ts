import "@/lib/testing/use-test-database";

import { buffer } from "node:stream/consumers";
import { beforeAll, describe, expect, test } from "vitest";
import * as ACCOUNT from "@/app/api/account/export/route";
import * as PERSON from "@/app/api/customers/[handle]/export/route";
import { objectStore } from "@/lib/adapters/storage/registry";
import { objectKey } from "@/lib/attachments/attachment";
import { sql } from "@/lib/platform/database/db";
import { exportArchive, tablesOf } from "@/lib/privacy/export/export-archive";
import type { ExportScope } from "@/lib/privacy/export/read-rows";
import { startWorker } from "@/lib/runtime/worker/start-worker";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { createTestPhone, writeAs } from "@/lib/testing/factories";
import { requestPayment } from "@/lib/testing/payments/payment-requests";
import { watchMemory } from "@/lib/testing/processes/watch-memory";
import { readLines, readZip } from "@/lib/testing/read-zip";
import { type DashboardUser, signInAs } from "@/lib/testing/sign-in/sign-in-as";
import { createTestGroup, untilDone } from "@/lib/testing/test-chats";

const MIB = 1024 * 1024;
const SIZE = 100 * MIB;
/** A process that holds the whole file in memory even once exceeds this. */
const MAX_GROWTH = 0.9 * SIZE;

let account: TestAccount;
let other: TestAccount;
let person: string;
let stranger: string;
let admin: DashboardUser;

beforeAll(async () => {
  const worker = await startWorker();
  account = await createTestAccount({ type: "sandbox" });
  other = await createTestAccount({ type: "sandbox" });
  admin = await signInAs(account, "admin");
  person = await createTestPhone(account);
  stranger = await createTestPhone(account);
  await talk();
  // The files of an archive are not a snapshot: a row that the worker writes meanwhile would be missing in one of them.
  await worker.stop();
});

/** A direct chat with files and a payment, a group, and the same handle in another account. */
async function talk(): Promise<void> {
  await writeAs(account, person, { to: account.line, text: "mine: hello" });
  await writeAs(account, person, { to: account.line, text: "mine: STOP it" });
  await writeAs(account, stranger, { to: account.line, text: "of the stranger" });
  const file = {
    type: "media",
    data: Buffer.from("%PDF-1.4\nmine\n%%EOF").toString("base64"),
    filename: "mine.pdf",
  };
  await ok(`POST /simulator/phones/${person}/messages`, { to: account.line, parts: [file] });
  await requestPayment(account, {
    amount: 1250,
    currency: "usd",
    description: "mine: dinner",
    payer_handle: person,
  });
  await requestPayment(account, { amount: 900, currency: "usd", description: "of someone else" });
  const { chatId, first } = await createTestGroup(account, 2);
  await ok(`POST /v3/chats/${chatId}/participants`, { handle: person });
  await writeAs(account, first, { to: chatId, text: "of the group" });
  await untilDone(chatId);
  await other.context();
  await sql.runText({
    text: "insert into contacts (account_id, handle, name) values ($1, $2, 'theirs')",
    values: [other.ref.id, person],
  });
}

async function ok(what: `${string} ${string}`, body?: object) {
  const answer = await callApi(what, { token: account.token, body });
  expect([what, answer.status < 300 ? null : answer.body]).toEqual([what, null]);
  return answer.body;
}

async function archiveOf(scope: ExportScope): Promise<Map<string, Buffer>> {
  return readZip(await buffer(exportArchive(scope)));
}

const manifestOf = (files: ReadonlyMap<string, Buffer>) =>
  JSON.parse(files.get("manifest.json")?.toString("utf8") ?? "null");

describe("the archive of an account", () => {
  test("contains every row of every table and every file, as the manifest says", async () => {
    const files = await archiveOf({ accountId: account.ref.id, handle: null });
    const manifest = manifestOf(files);
    for (const { table, ofAccount = "t.account_id = $1" } of tablesOf({ accountId: "", handle: null })) {
      const [row] = await sql.runText<{ count: number }>({
        text: `select count(*)::int as count from ${table} t where ${ofAccount}`,
        values: [account.ref.id],
      });
      expect([table, readLines(files, `${table}.jsonl`).length]).toEqual([table, row?.count]);
      expect([table, manifest.rows[table]]).toEqual([table, row?.count]);
    }
    const [attachment] = readLines(files, "attachments.jsonl");
    expect(files.get(`files/${attachment?.id}/mine.pdf`)?.toString()).toContain("mine");
    expect(manifest).toMatchObject({ files: 1, files_without_content: [], account_id: account.ref.id });
  });

  test("contains no secret and nothing of another account", async () => {
    const { signing_secret } = await ok("POST /v3/webhook-subscriptions", {
      target_url: "https://hooks.example.com/export",
      subscribed_events: ["message.sent"],
    });
    const text = [...(await archiveOf({ accountId: account.ref.id, handle: null })).values()].join("\n");
    for (const secret of [signing_secret, account.token, "theirs", other.line])
      expect(text).not.toContain(secret);
  });

  test("is read page by page: 1,000 messages come whole and in order", async () => {
    const phone = await createTestPhone(account);
    const { chatId } = await writeAs(account, phone, { to: account.line, text: "first" });
    await sql.runText({
      text: `insert into messages (account_id, id, chat_id, line_id, sender_id, is_from_me, parts, delivery_status,
               trace_id, created_at, updated_at)
             select account_id, gen_random_uuid(), chat_id, line_id, sender_id, false, parts, 'received', trace_id,
               created_at, updated_at
             from messages, generate_series(1, 1000) where account_id = $1 and chat_id = $2`,
      values: [account.ref.id, chatId],
    });
    const rows = readLines(await archiveOf({ accountId: account.ref.id, handle: null }), "messages.jsonl");
    const ids = rows.map(({ id }) => String(id));
    expect(ids.length).toBeGreaterThan(1000);
    expect(ids).toEqual([...new Set(ids)].sort());
  });
});

describe("the archive of a person", () => {
  test("contains what is about the person, and nothing that others wrote", async () => {
    const files = await archiveOf({ accountId: account.ref.id, handle: person });
    const text = [...files.values()].join("\n");
    for (const own of ["mine: hello", "mine: STOP it", "mine: dinner"]) expect(text).toContain(own);
    for (const foreign of ["of the stranger", "of someone else", "of the group", "theirs"]) {
      expect(text).not.toContain(foreign);
    }
    expect(readLines(files, "chats.jsonl")).toHaveLength(2);
    expect(manifestOf(files)).toMatchObject({ handle: person, files: 1 });
  });

  test("of an unknown handle is empty", async () => {
    const files = await archiveOf({ accountId: account.ref.id, handle: "unknown@example.com" });
    expect(Object.values<number>(manifestOf(files).rows).every((count) => count === 0)).toBe(true);
  });
});

test("a file whose bytes are gone is named in the manifest", async () => {
  const files = await archiveOf({ accountId: account.ref.id, handle: person });
  const [attachment] = readLines(files, "attachments.jsonl");
  const attachmentId = String(attachment?.id);
  const key = objectKey({ accountId: account.ref.id, attachmentId });
  const stored = await objectStore().get(key);
  if (stored === null) throw new Error("the file is not stored");
  const bytes = await buffer(stored.body);
  await objectStore().delete(key);
  const without = manifestOf(await archiveOf({ accountId: account.ref.id, handle: person }));
  expect(without).toMatchObject({ files: 0, files_without_content: [attachmentId] });
  const sizes = { contentType: "application/pdf", leastBytes: bytes.length, mostBytes: bytes.length };
  await objectStore().put(
    key,
    (async function* () {
      yield bytes;
    })(),
    sizes,
  );
});

test("a file of 100 MB and 5,000 rows are exported in flat memory", async () => {
  const big = await createTestAccount({ type: "sandbox" });
  const { attachment_id } = (
    await callApi("POST /v3/attachments", {
      token: big.token,
      body: { filename: "video.mp4", content_type: "video/mp4", size_bytes: SIZE },
    })
  ).body;
  const key = objectKey({ accountId: big.ref.id, attachmentId: attachment_id });
  await objectStore().put(key, zeros(), { contentType: "video/mp4", leastBytes: SIZE, mostBytes: SIZE });
  await sql.runText({
    text: `insert into contacts (account_id, handle, name)
           select $1, '+1555' || n || repeat('0', 2000), 'x' from generate_series(1000000, 1005000) n`,
    values: [big.ref.id],
  });

  const watch = watchMemory(MAX_GROWTH);
  let size = 0;
  for await (const chunk of exportArchive({ accountId: big.ref.id, handle: null })) size += chunk.byteLength;
  const grown = watch.stop();

  expect(size).toBeGreaterThan(SIZE + 5000 * 2000);
  expect(grown).toBeLessThan(MAX_GROWTH);
}, 240_000);

async function* zeros() {
  for (let left = SIZE; left > 0; left -= MIB) yield new Uint8Array(MIB);
}

test("a canceled download stops reading", async () => {
  const reader = exportArchive({ accountId: account.ref.id, handle: null }).getReader();
  await reader.read();
  await reader.cancel();
  expect(await reader.read()).toMatchObject({ done: true });
});

describe("over the dashboard's API", () => {
  const params = { handle: "" };

  test("an admin downloads with a ticket, which the audit log records", async () => {
    const call = { method: "POST", params: { handle: person } } as const;
    const { status, body } = await admin.call(PERSON.POST, call);
    expect(status).toBe(201);
    const download = await admin.call(PERSON.GET, {
      params: { handle: person },
      query: { ticket: body.ticket },
    });
    expect([download.status, download.headers.get("content-type")]).toEqual([200, "application/zip"]);
    const whole = await admin.call(ACCOUNT.POST, { method: "POST" });
    const query = { ticket: whole.body.ticket };
    expect((await admin.call(ACCOUNT.GET, { query })).headers.get("content-disposition")).toMatch(
      /^attachment; filename="trunkline-account-\d{4}-\d\d-\d\d\.zip"$/,
    );
    const audited = await sql.runText<{ action: string }>({
      text: "select action from audit_entries where account_id = $1 and action like '%.exported' order by id",
      values: [account.ref.id],
    });
    expect(audited.map(({ action }) => action)).toEqual(["handle.exported", "account.exported"]);
  });

  test("a ticket is for one person, one handle, one minute and one download, and roles below admin get none", async () => {
    const developer = await signInAs(account, "developer");
    expect((await developer.call(ACCOUNT.POST, { method: "POST" })).body.error.code).toBe(2005);
    const { ticket } = (await admin.call(PERSON.POST, { method: "POST", params: { handle: person } })).body;
    const another = await signInAs(account, "admin");
    const refusals = [
      another.call(PERSON.GET, { params: { handle: person }, query: { ticket } }),
      admin.call(PERSON.GET, { params: { handle: stranger }, query: { ticket } }),
      admin.call(ACCOUNT.GET, { query: { ticket } }),
      admin.call(PERSON.GET, { params: { handle: person }, query: { ticket: `1${ticket}` } }),
      admin.call(PERSON.GET, { params: { ...params, handle: person }, query: { ticket: "1.forged" } }),
    ];
    for (const refusal of refusals) expect((await refusal).body.error.code).toBe(2005);

    const download = () => admin.call(PERSON.GET, { params: { handle: person }, query: { ticket } });
    expect((await download()).status).toBe(200);
    expect((await download()).body.error.code).toBe(2005);
  });
});
