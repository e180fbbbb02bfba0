import "@/lib/testing/use-test-database";

import { beforeEach, describe, expect, test } from "vitest";
import * as options from "@/app/api/account/options/route";
import * as csv from "@/app/api/audit-log/csv/route";
import * as auditLog from "@/app/api/audit-log/route";
import * as assignment from "@/app/api/chats/[chatId]/assignee/route";
import * as messages from "@/app/api/chats/[chatId]/messages/route";
import * as line from "@/app/api/lines/[lineId]/route";
import * as person from "@/app/api/people/[userId]/route";
import * as subscriptions from "@/app/api/webhook-subscriptions/route";
import type { AuditAction } from "@/lib/identity/audit/audit-actions";
import { listAuditObjectTypes } from "@/lib/identity/audit/list-audit-object-types";
import { recordAudit } from "@/lib/identity/audit/record-audit";
import { createToken } from "@/lib/identity/tokens/create-token";
import { prisma, sql, transaction } from "@/lib/platform/database/db";
import { runForClient } from "@/lib/platform/http/request-client";
import { newId } from "@/lib/platform/ids";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { explainPlans } from "@/lib/testing/database/explain-plan";
import { createDirectChat, createTestPhone } from "@/lib/testing/factories";
import { type DashboardUser, signInAs } from "@/lib/testing/sign-in/sign-in-as";

const ADDRESS = "203.0.113.7";
let account: TestAccount;
let admin: DashboardUser;
let developer: DashboardUser;

beforeEach(async () => {
  account = await createTestAccount({ type: "sandbox" });
  admin = await signInAs(account, "admin");
  developer = await signInAs(account, "developer");
});

type Entry = { action: string; object: string | null; by: { name: string | null }; [key: string]: unknown };

async function read(query: Record<string, string> = {}, by = developer): Promise<Entry[]> {
  const { status, body } = await by.call(auditLog.GET, { query });
  expect(status, JSON.stringify(body)).toBe(200);
  return body.entries;
}

async function actions(query: Record<string, string> = {}, by = developer): Promise<string[]> {
  return (await read(query, by)).map(({ action }) => action);
}

function changeOptions(rcs = false) {
  const client = { address: ADDRESS, userAgent: null };
  return runForClient(client, () => admin.call(options.PATCH, { method: "PATCH", body: { rcs } }));
}

/** Records an entry of an API token at a time. */
async function recordAt(at: string, action: AuditAction, objectType: string, tokenId = newId(Date.now())) {
  const ctx = { ...account.context(), actor: { type: "api" as const, tokenId }, now: new Date(at) };
  await transaction((tx) => recordAudit(tx, ctx, action, objectType, null));
}

/** Inserts entries of one object type and one actor. */
async function fill(count: number, objectType: string, scope: { accountId: string | null }) {
  await sql.runText({
    text: `insert into audit_entries (id, partner_id, account_id, actor_type, actor_id, action, object_type, created_at)
           select gen_random_uuid(), $1, $2, 'api', gen_random_uuid(), 'message.deleted', $3, now()
           from generate_series(1, $4)`,
    values: [account.ref.partnerId, scope.accountId, objectType, count],
  });
  await sql.runText({ text: "analyze audit_entries" });
}

test("every change of the account is listed with its actor, address and values, newest first, page by page", async () => {
  const { id: lineId } = await prisma().line.findFirstOrThrow({ where: { accountId: account.ref.id } });
  await changeOptions();
  await admin.call(line.PATCH, { method: "PATCH", params: { lineId }, body: { rcs: false } });
  const { api_token } = await createToken(account.context(), { name: "Nightly" });

  const first = await developer.call(auditLog.GET, { query: { limit: "2" } });
  const second = await developer.call(auditLog.GET, {
    query: { limit: "1", cursor: first.body.next_cursor },
  });

  const by = { type: "user", id: admin.id, name: "A admin", is_operator: false };
  expect(first.body.entries).toMatchObject([
    { action: "api_token.created", object_type: "api_token", object_id: api_token.id, object: "Nightly" },
    { action: "line.settings_changed", object: account.line, is_object_gone: false, by, address: null },
  ]);
  expect(second.body.entries).toMatchObject([
    {
      action: "account.options_changed",
      by,
      address: ADDRESS,
      detail: { from: { rcs: true }, to: { rcs: false } },
      trace_id: expect.stringMatching(/^[0-9a-f]{32}$/),
    },
  ]);
});

test("the entries of another account of the same partner or of another partner are never listed", async () => {
  await changeOptions();
  await admin.call(person.PATCH, {
    method: "PATCH",
    params: { userId: developer.id },
    body: { role: "viewer" },
  });
  const other = await signInAs(await createTestAccount({ type: "sandbox" }), "admin");
  const sibling = newId(Date.now());
  await sql.runText({
    text: `insert into audit_entries (id, partner_id, account_id, actor_type, action, object_type, created_at)
           values ($1, $2, $3, 'system', 'account.sibling', 'account', now())`,
    values: [newId(Date.now()), account.ref.partnerId, sibling],
  });

  const text = JSON.stringify(await read({ limit: "500" }, other));
  expect(text).not.toContain(admin.id);
  expect(text).not.toContain(account.ref.id);
  expect(await actions({ limit: "500" }, admin)).not.toContain("account.sibling");
});

test("changes of people and sign-ins are listed for those who manage people, in one order with the rest", async () => {
  const support = await signInAs(account, "support");
  await changeOptions();
  await admin.call(person.PATCH, {
    method: "PATCH",
    params: { userId: support.id },
    body: { role: "viewer" },
  });
  await changeOptions(true);

  expect((await actions({}, admin)).slice(0, 3)).toEqual([
    "account.options_changed",
    "user.role_changed",
    "account.options_changed",
  ]);
  expect((await read({ object_type: "user" }, admin))[0]).toMatchObject({
    object: "A support",
    by: { id: admin.id },
  });
  expect((await actions()).filter((action) => action.startsWith("user."))).toEqual([]);
  expect(await actions({ object_type: "user" })).toEqual([]);
  expect((await developer.call(csv.GET)).body).not.toContain("user.role_changed");
});

test("an operator is marked, and an entry of Trunkline has no name", async () => {
  const operator = await signInAs(account, "admin", { isOperator: true });
  await operator.call(options.PATCH, { method: "PATCH", body: { rcs: false } });

  const [changed] = await read();
  expect(changed?.by).toMatchObject({ id: operator.id, is_operator: true });
  const system = await read({ actor: "system" });
  expect(system.length).toBeGreaterThan(0);
  for (const { by } of system)
    expect(by).toEqual({ type: "system", id: null, name: null, is_operator: false });
});

test("colleagues, tokens and lines in the values have their names, and people of other partners none", async () => {
  const support = await signInAs(account, "support");
  const stranger = await signInAs(await createTestAccount({ type: "sandbox" }), "admin");
  const { api_token } = await createToken(account.context(), { name: "Nightly" });
  const { id: lineId, phoneNumber } = await prisma().line.findFirstOrThrow({
    where: { accountId: account.ref.id },
  });
  const chatId = await createDirectChat(account, await createTestPhone(account));
  await admin.call(assignment.PUT, { method: "PUT", params: { chatId }, body: { user_id: support.id } });
  const detail = { from: stranger.id, to: { token: api_token.id, lines: [lineId, newId(Date.now())] } };
  await transaction((tx) => recordAudit(tx, account.context(), "handle.named", "handle", null, detail));

  const [mixed, assigned] = await read();

  expect(mixed?.names).toEqual({ [api_token.id]: "Nightly", [lineId]: phoneNumber });
  expect(assigned).toMatchObject({ action: "chat.assigned", names: { [support.id]: "A support" } });
});

describe("filters", () => {
  test("by type of actor, by person, by token and by object, alone and together", async () => {
    await changeOptions();
    const { api_token } = await createToken(account.context(), { name: "Nightly" });
    await recordAt("2031-01-01T00:00:00Z", "handle.blocked", "handle", api_token.id);

    expect(await actions({ actor: "user" })).toEqual(["account.options_changed"]);
    expect(await actions({ actor: admin.id })).toEqual(["account.options_changed"]);
    expect(await actions({ actor: "api" })).toEqual(["handle.blocked"]);
    expect((await read({ actor: api_token.id })).map(({ by }) => by.name)).toEqual(["Nightly"]);
    expect(await actions({ object_type: "handle" })).toEqual(["handle.blocked"]);
    expect(await actions({ actor: "user", object_type: "handle" })).toEqual([]);
    expect(await actions({ actor: newId(Date.now()) })).toEqual([]);
    expect(await listAuditObjectTypes(account.context())).toEqual(
      expect.arrayContaining(["account", "api_token", "handle"]),
    );
  });

  test("by time: from the first moment on, and before the second", async () => {
    await recordAt("2031-01-01T00:00:00Z", "handle.blocked", "handle");
    await recordAt("2031-01-02T00:00:00Z", "handle.unblocked", "handle");
    await recordAt("2031-01-03T00:00:00Z", "handle.named", "handle");

    const range = { from: "2031-01-02T00:00:00Z", to: "2031-01-03T00:00:00Z" };
    expect(await actions(range)).toEqual(["handle.unblocked"]);
    expect(await actions({ ...range, actor: "user" })).toEqual([]);
    expect((await developer.call(csv.GET, { query: range })).body.trim().split("\n")).toHaveLength(2);
  });

  test.each<Record<string, string>>([
    { actor: "unknown" },
    { object_type: "A B" },
    { from: "yesterday" },
    { cursor: "x" },
  ])("%j is rejected", async (query) => {
    expect((await developer.call(auditLog.GET, { query })).status).toBe(400);
  });
});

test("signing secrets, tokens and the text of messages are in neither the list nor the file", async () => {
  const { body: endpoint } = await admin.call(subscriptions.POST, {
    method: "POST",
    body: { target_url: "https://example.com/hook?key=hidden-key", subscribed_events: ["message.sent"] },
  });
  const { token } = await createToken(account.context(), { name: "Nightly" });
  const chatId = await createDirectChat(account, await createTestPhone(account));
  const sent = await admin.call(messages.POST, {
    method: "POST",
    params: { chatId },
    body: { message: { parts: [{ type: "text", value: "hidden words" }] } },
  });
  expect(sent.status).toBe(202);

  const [listed, file] = [
    JSON.stringify(await read({ limit: "500" }, admin)),
    (await admin.call(csv.GET)).body,
  ];
  expect(endpoint.signing_secret).toBeTypeOf("string");
  for (const text of [listed, file]) {
    expect(text).toContain("https://example.com/hook");
    expect(text).toContain("message.sent");
    for (const secret of [endpoint.signing_secret, "hidden-key", token, "hidden words"])
      expect(text).not.toContain(secret);
  }
});

test.each([
  ["without filters", {}, "audit_entries_account_id_id_idx"],
  ["by object", { object_type: "line" }, "audit_entries_object_type_idx"],
  ["by type of actor", { actor: "user" }, "audit_entries_actor_type_idx"],
  ["by person", { actor: "person" }, "audit_entries_actor_idx"],
])("%s, the list of a large account is read in the order of an index", async (_, query, index) => {
  await fill(5000, "message", { accountId: account.ref.id });
  await fill(2000, "user", { accountId: null });
  const asked = "actor" in query && query.actor === "person" ? { actor: admin.id } : query;

  const plans = await explainPlans(() => admin.call(auditLog.GET, { query: asked }));

  const [list = ""] = plans.filter((plan) => plan.includes("audit_entries"));
  expect(list).toContain(index);
  expect(list).toMatch(/audit_entries_(people|partner_id_id)_idx/);
  expect(list).not.toContain("Seq Scan on audit_entries");
  expect(list).not.toContain("->  Sort");
});
