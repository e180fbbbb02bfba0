import "@/lib/testing/use-test-database";

import { beforeAll, describe, expect, test } from "vitest";
import * as one from "@/app/api/attachments/[attachmentId]/route";
import { GET as csvRoute } from "@/app/api/attachments/csv/route";
import { GET as listRoute } from "@/app/api/attachments/route";
import { GET as totalsRoute } from "@/app/api/attachments/totals/route";
import type { AttachmentView } from "@/lib/attachments/attachment-view";
import { setAttachmentTier } from "@/lib/attachments/retention/set-attachment-tier";
import { updateAccountOptions } from "@/lib/identity/accounts/update-account-options";
import { sql } from "@/lib/platform/database/db";
import { newId } from "@/lib/platform/ids";
import { now } from "@/lib/platform/time/clock";
import { callApi } from "@/lib/testing/call-api";
import { fetchFile, uploadFile } from "@/lib/testing/call-files";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { countStatements } from "@/lib/testing/database/count-statements";
import { explainPlans } from "@/lib/testing/database/explain-plan";
import { createTestPhone, writeAs } from "@/lib/testing/factories";
import { FILES, sampleImage } from "@/lib/testing/samples/file-samples";
import { type DashboardUser, signInAs } from "@/lib/testing/sign-in/sign-in-as";

let account: TestAccount;
let viewer: DashboardUser;
let developer: DashboardUser;

beforeAll(async () => {
  account = await createTestAccount({ type: "sandbox" });
  viewer = await signInAs(account, "viewer");
  developer = await signInAs(account, "developer");
});

async function announce(of: TestAccount, filename: string, content: Buffer, type: string) {
  const { body } = await callApi("POST /v3/attachments", {
    token: of.token,
    body: { filename, content_type: type, size_bytes: content.length },
  });
  return body;
}

async function upload(of: TestAccount, filename: string, content = FILES.pdf, type = "application/pdf") {
  const announced = await announce(of, filename, content, type);
  await uploadFile(announced, content);
  return announced.attachment_id;
}

async function list(query: Record<string, string> = {}): Promise<AttachmentView[]> {
  const { status, body } = await viewer.call(listRoute, { query });
  expect([status, body.error]).toEqual([200, undefined]);
  return body.attachments;
}

/** A phone that has messaged the account, because a sandbox can't send to other phones. */
async function createKnownPhone(): Promise<string> {
  const phone = await createTestPhone(account);
  await writeAs(account, phone, { to: account.line, text: "hello" });
  return phone;
}

const idsOf = (files: AttachmentView[]) => files.map(({ id }) => id);

describe("files are found by", () => {
  let pdf: string;
  let pending: string;
  let failed: string;
  let received: AttachmentView;
  let sent: { id: string; chatId: string; messageId: string };
  let deleted: string;

  beforeAll(async () => {
    pdf = await upload(account, "Menu of today.pdf");
    pending = (await announce(account, "later.png", await sampleImage("png"), "image/png")).attachment_id;
    failed = await upload(account, "lie.png", FILES.html, "image/png");
    const phone = await createTestPhone(account);
    const photo = await sampleImage("jpeg");
    const written = await callApi(`POST /simulator/phones/${phone}/messages`, {
      token: account.token,
      body: {
        to: account.line,
        parts: [{ type: "media", filename: "photo.jpg", data: photo.toString("base64") }],
      },
    });
    const { chat_id: chatId } = written.body;
    const id = await upload(account, "answer.pdf");
    const { body } = await callApi(`POST /v3/chats/${chatId}/messages`, {
      token: account.token,
      body: { message: { parts: [{ type: "media", attachment_id: id }] } },
    });
    sent = { id, chatId, messageId: body.message.id };
    deleted = await upload(account, "mistake.pdf");
    await developer.call(one.DELETE, { method: "DELETE", params: { attachmentId: deleted } });
    const [found] = await list({ direction: "received" });
    if (found === undefined) throw new Error("what was received is not listed");
    received = found;
  });

  test("no filter: all files, newest first, with the deleted one at its place", async () => {
    expect(idsOf(await list())).toEqual([deleted, sent.id, received.id, failed, pending, pdf]);
  });

  test.each<[string, Record<string, string>, () => string[]]>([
    ["images", { family: "image" }, () => [received.id, failed, pending]],
    ["documents", { family: "document" }, () => [deleted, sent.id, pdf]],
    ["pending ones", { status: "pending" }, () => [pending]],
    ["failed ones", { status: "failed" }, () => [failed]],
    ["ready ones", { status: "complete" }, () => [sent.id, received.id, pdf]],
    ["deleted ones", { status: "deleted" }, () => [deleted]],
    ["received ones", { direction: "received" }, () => [received.id]],
    ["sent ones", { direction: "sent" }, () => [sent.id]],
    ["uploaded ones", { direction: "uploaded" }, () => [deleted, failed, pending, pdf]],
    ["images of cards", { direction: "image" }, () => []],
    [
      "the persistent tier",
      { tier: "persistent" },
      () => [deleted, sent.id, received.id, failed, pending, pdf],
    ],
    ["the ephemeral tier", { tier: "ephemeral" }, () => []],
    ["a part of the name", { q: "MENU of" }, () => [pdf]],
    ["a part of a deleted one's name", { q: "mistake" }, () => [deleted]],
    ["a name that would be a pattern", { q: "%" }, () => []],
  ])("%s", async (_, query, expected) => {
    expect(idsOf(await list(query))).toEqual(expected());
  });

  test("an id: of the file, also once it is deleted, or of a message that shows it", async () => {
    expect(idsOf(await list({ q: pdf }))).toEqual([pdf]);
    expect(idsOf(await list({ q: deleted }))).toEqual([deleted]);
    expect(idsOf(await list({ q: sent.messageId }))).toEqual([sent.id]);
  });

  test("a line: what came and what went over it", async () => {
    expect(idsOf(await list({ line: account.line }))).toEqual([sent.id, received.id]);
    expect(idsOf(await list({ line: "+15550199999" }))).toEqual([]);
  });

  test("each says where it went, why it failed, and who deleted it", async () => {
    const by = new Map((await list()).map((file) => [file.id, file]));
    expect(by.get(failed)).toMatchObject({
      status: "failed",
      fault: "the file content is text/html, not image/png",
      url: null,
    });
    expect(by.get(sent.id)).toMatchObject({
      direction: "sent",
      line: account.line,
      message: { id: sent.messageId, chat_id: sent.chatId, is_from_me: true },
    });
    expect(received).toMatchObject({
      line: account.line,
      message: { is_from_me: false },
      preview: "image",
    });
    expect(by.get(deleted)).toMatchObject({
      status: "deleted",
      size_bytes: FILES.pdf.length,
      tier: "persistent",
      direction: "uploaded",
      url: null,
      deleted: { by: { type: "user", name: "A developer" } },
    });
    const bytes = (await fetchFile(by.get(pdf)?.url ?? "")).bytes;
    expect(bytes.equals(FILES.pdf)).toBe(true);
  });

  test("one by itself says which messages show it", async () => {
    const { body } = await viewer.call(one.GET, { params: { attachmentId: sent.id } });
    expect(body.uses).toMatchObject([{ message_id: sent.messageId, chat_id: sent.chatId, is_from_me: true }]);
    const gone = await viewer.call(one.GET, { params: { attachmentId: deleted } });
    expect(gone.body).toMatchObject({ attachment: { id: deleted, status: "deleted" }, uses: [] });
  });

  test("the totals are what is stored, and the file holds what is found and no address", async () => {
    const { body } = await viewer.call(totalsRoute);
    const photo = received.size_bytes ?? 0;
    expect(body.totals).toEqual([{ tier: "persistent", count: 3, size_bytes: 2 * FILES.pdf.length + photo }]);
    const csv = await viewer.call(csvRoute, { query: { status: "deleted" } });
    expect(csv.body.trim().split("\n")).toHaveLength(2);
    expect(csv.body).toContain("mistake.pdf");
    expect((await viewer.call(csvRoute)).body).not.toContain("http");
  });
});

test("deleting takes a right; then its address is 404, a message keeps its name, and so it is said", async () => {
  const id = await upload(account, "secret.pdf");
  const [before] = await list({ q: id });
  const params = { attachmentId: id };
  expect((await viewer.call(one.DELETE, { method: "DELETE", params })).status).toBe(403);
  const support = await signInAs(account, "support");
  expect((await support.call(one.DELETE, { method: "DELETE", params })).status).toBe(403);
  expect((await fetchFile(before?.url ?? "")).status).toBe(200);

  expect((await developer.call(one.DELETE, { method: "DELETE", params })).status).toBe(204);
  expect((await fetchFile(before?.url ?? "")).status).toBe(404);
  expect((await developer.call(one.DELETE, { method: "DELETE", params })).status).toBe(404);
});

test.each([
  ["an ephemeral file", "file.pdf", true, null],
  ["a file of an account with message retention", "file.pdf", false, 60],
  ["another file", "about Ada Lovelace.pdf", false, null],
])("the record of %s that was deleted keeps the name %s", async (_, name, ephemeral, minutes) => {
  const forgetful = await createTestAccount({ type: "sandbox" });
  if (ephemeral) await setAttachmentTier({ account: forgetful.ref }, "ephemeral");
  await updateAccountOptions(forgetful.context(), { body: { retention_minutes: minutes } });
  const id = await upload(forgetful, "about Ada Lovelace.pdf");
  await callApi(`DELETE /v3/attachments/${id}`, { token: forgetful.token });
  const reader = await signInAs(forgetful, "viewer");
  const { body } = await reader.call(listRoute);
  expect(body.attachments).toMatchObject([{ id, status: "deleted", filename: name }]);
});

test("a message that was deleted no longer shows its file", async () => {
  const { chatId } = await account.sendFirst(await createKnownPhone());
  const id = await upload(account, "for a moment.pdf");
  const { body } = await callApi(`POST /v3/chats/${chatId}/messages`, {
    token: account.token,
    body: { message: { parts: [{ type: "media", attachment_id: id }] } },
  });
  await callApi(`DELETE /v3/messages/${body.message.id}`, { token: account.token });

  const shown = await viewer.call(one.GET, { params: { attachmentId: id } });
  expect(shown.body).toMatchObject({ attachment: { id, direction: "sent", message: null }, uses: [] });
});

test("a deleted file still says over which line it was sent", async () => {
  const { chatId } = await account.sendFirst(await createKnownPhone());
  const id = await upload(account, "no longer.pdf");
  await callApi(`POST /v3/chats/${chatId}/messages`, {
    token: account.token,
    body: { message: { parts: [{ type: "media", attachment_id: id }] } },
  });
  await callApi(`DELETE /v3/attachments/${id}`, { token: account.token });
  expect(await list({ q: id, line: account.line })).toMatchObject([
    { status: "deleted", direction: "sent", line: account.line },
  ]);
});

test("another account sees none of it", async () => {
  const id = await upload(account, "ours.pdf");
  const stranger = await signInAs(await createTestAccount({ type: "sandbox" }), "admin");
  expect((await stranger.call(listRoute)).body.attachments).toEqual([]);
  expect((await stranger.call(listRoute, { query: { q: id } })).body.attachments).toEqual([]);
  expect((await stranger.call(one.GET, { params: { attachmentId: id } })).status).toBe(404);
  expect((await stranger.call(totalsRoute)).body.totals).toEqual([]);
});

test("an ephemeral file says when it goes, and its address is signed", async () => {
  const ephemeral = await createTestAccount({ type: "sandbox" });
  await setAttachmentTier({ account: ephemeral.ref }, "ephemeral");
  const id = await upload(ephemeral, "today.pdf");
  const reader = await signInAs(ephemeral, "viewer");
  const { body } = await reader.call(listRoute, { query: { tier: "ephemeral" } });
  expect(body.attachments).toMatchObject([{ id, expires_at: expect.any(String), tier: "ephemeral" }]);
  expect(body.attachments[0].url).toContain("signature=");
});

describe("of many files", () => {
  let many: TestAccount;
  let reader: DashboardUser;

  beforeAll(async () => {
    many = await createTestAccount({ type: "sandbox" });
    const { ref: other } = await createTestAccount({ type: "sandbox" });
    reader = await signInAs(many, "viewer");
    const at = now().getTime();
    const ids = Array.from({ length: 16_000 }, (_, index) => newId(at - 16_000 + index));
    await sql.runText({
      text: `insert into attachments (account_id, id, filename, content_type, size_bytes, status, tier, source, family, created_at)
             select case when f.n % 4 = 0 then $1::uuid else $3 end, f.id, 'file ' || f.n, 'image/png', 10,
               (case when f.n % 100 = 0 then 'failed' else 'complete' end)::attachment_status, 'persistent',
               (case when f.n % 50 = 0 then 'received' else 'upload' end)::attachment_source,
               (case when f.n % 40 = 0 then 'audio' else 'image' end)::attachment_family, now()
             from unnest($2::uuid[]) with ordinality as f(id, n)`,
      values: [many.ref.id, ids, other.id],
    });
    await sql.runText({
      text: `insert into audit_entries (id, account_id, actor_type, action, object_type, object_id, detail, created_at)
             select gen_random_uuid(), $1, 'system', 'attachment.deleted', 'attachment', f.id::text,
               '{"filename": "gone.png", "content_type": "image/png"}', now()
             from unnest($2::uuid[]) as f(id)`,
      values: [many.ref.id, Array.from({ length: 200 }, (_, index) => newId(at - 16_000 + index * 80))],
    });
    await sql.runText({ text: "analyze attachments, audit_entries" });
  });

  test("a page is one search whatever it shows, and pages follow without a gap", async () => {
    const few = await countStatements(() => reader.call(listRoute, { query: { limit: "1" } }));
    const all = await countStatements(() => reader.call(listRoute, { query: { limit: "1000" } }));
    expect(all).toBe(few);

    const seen = new Set<string>();
    let cursor: string | null = null;
    let last = "z";
    do {
      const query: Record<string, string> = { limit: "1000", ...(cursor !== null && { cursor }) };
      const { body } = await reader.call(listRoute, { query });
      for (const { id } of body.attachments) {
        expect(id < last).toBe(true);
        last = id;
        seen.add(id);
      }
      cursor = body.next_cursor;
    } while (cursor !== null);
    expect(seen.size).toBe(4200);
  });

  test.each<[string, Record<string, string>, string]>([
    ["all", {}, "attachments_pkey"],
    ["received ones", { direction: "received" }, "attachments_account_id_source_id_idx"],
    ["sounds", { family: "audio" }, "attachments_account_id_family_id_idx"],
    ["failed ones", { status: "failed" }, "attachments_unfinished_idx"],
    ["ephemeral ones", { tier: "ephemeral" }, "attachments_ephemeral_idx"],
    ["deleted ones", { status: "deleted" }, "audit_entries_files_idx"],
  ])("%s are read in the order of an index", async (_, query, index) => {
    const plans = await explainPlans(() => reader.call(listRoute, { query }));
    const plan = plans.find((text) =>
      text.includes(query.status === "deleted" ? "audit_entries" : "attachments"),
    );
    expect(plan).toContain(index);
    expect(plan).not.toMatch(/Sort[\s\S]*Scan on attachments/);
  });

  test("their totals are read without the files", async () => {
    const plans = (await explainPlans(() => reader.call(totalsRoute))).join("\n");
    expect(plans).toContain("attachment_totals");
    expect(plans).not.toMatch(/on attachments\b/);
  });
});
