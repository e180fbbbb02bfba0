import "@/lib/testing/use-test-database";

import { beforeEach, expect, test } from "vitest";
import * as checklist from "@/app/api/production-checklist/route";
import { countAdmins } from "@/lib/identity/people/count-admins";
import { setLineConnection } from "@/lib/lines/connections/line-connection";
import { createLine } from "@/lib/lines/lines/create-line";
import { prisma, sql } from "@/lib/platform/database/db";
import { newId } from "@/lib/platform/ids";
import {
  type CheckResult,
  checkAdmins,
  checkBackup,
  checkUrl,
} from "@/lib/runtime/dashboard/get-production-checklist";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { type DashboardUser, signInAs } from "@/lib/testing/sign-in/sign-in-as";

let account: TestAccount;
let viewer: DashboardUser;

beforeEach(async () => {
  account = await createTestAccount({ type: "production" });
  viewer = await signInAs(account, "viewer");
});

async function check(id: CheckResult["id"]): Promise<CheckResult> {
  const { status, body } = await viewer.call(checklist.GET);
  expect(status).toBe(200);
  return body.checks.find((one: CheckResult) => one.id === id);
}

async function subscribe(): Promise<string> {
  const { body } = await callApi("POST /v3/webhook-subscriptions", {
    token: account.token,
    body: { target_url: "https://example.com/hook", subscribed_events: ["message.sent"] },
  });
  return body.id;
}

async function countAttempt(subscriptionId: string, outcome: string, hoursAgo: number): Promise<void> {
  await sql.runText({
    text: `insert into webhook_attempt_counts
             (account_id, subscription_id, hour, outcome, latency_step, shard, count, first_at, last_at)
           values ($1, $2, date_trunc('hour', now()) - make_interval(hours => $4), $3, 1, 0, 1, now(), now())`,
    values: [account.ref.id, subscriptionId, outcome, hoursAgo],
  });
}

test("a sandbox is no production account, and says how to get one", async () => {
  const sandbox = await createTestAccount({ type: "sandbox" });
  const { body } = await (await signInAs(sandbox, "viewer")).call(checklist.GET);
  expect(body.checks[0]).toMatchObject({ id: "environment", state: "todo", href: "/settings/accounts" });
  expect(await check("environment")).toMatchObject({ state: "done" });
});

test.each([
  ["http://localhost:3000", "todo", "only this machine"],
  ["https://127.0.0.1", "todo", "only this machine"],
  ["http://trunkline.example.com", "todo", "without TLS"],
  ["https://trunkline.example.com/x", "done", "https://trunkline.example.com"],
])("an instance at %s: %s", (url, state, detail) => {
  expect(checkUrl(url)).toMatchObject({ state, detail: expect.stringContaining(detail) });
});

test.each([
  [null, "todo", "No backup"],
  [25, "done", "25 h ago"],
  [26, "todo", "one is due every 24 h"],
  [0.5, "done", "less than an hour"],
])("a last backup %s hours ago: %s", (hours, state, detail) => {
  const at = Date.now();
  const last = hours === null ? null : new Date(at - hours * 3_600_000);
  expect(checkBackup(last, at, 24)).toMatchObject({ state, detail: expect.stringContaining(detail) });
});

test("the newest backup of the instance counts", async () => {
  expect(await check("backup")).toMatchObject({ state: "todo" });
  await sql.runText({
    text: `insert into instance_backups (id, folder, database, started_at, ended_at)
           values ($1, '/backups/a', 'dump', now(), now()), ($2, '/backups/b', 'dump', now(), now() - interval '9 days')`,
    values: [newId(1), newId(2)],
  });
  expect(await check("backup")).toMatchObject({ state: "done" });
});

test("an admin with a password alone is counted, and one with single sign-on only is not", async () => {
  expect(checkAdmins({ admins: 0, secured: 0 })).toMatchObject({ state: "todo" });
  expect(checkAdmins({ admins: 2, secured: 1 })).toMatchObject({
    state: "todo",
    detail: expect.stringMatching(/^1 of 2/),
  });
  const admin = await signInAs(account, "admin");
  await sql.runText({
    text: "update users set last_sign_in_at = now(), password_hash = 'x' where id = $1",
    values: [admin.id],
  });
  expect(await check("admins")).toMatchObject({ state: "todo", detail: expect.stringMatching(/^1 of 1/) });
  await sql.runText({ text: "update users set password_hash = null where id = $1", values: [admin.id] });
  expect(await check("admins")).toMatchObject({ state: "done" });

  await sql.runText({ text: "update users set password_hash = 'x' where id = $1", values: [admin.id] });
  const setRule = (rule: "admins_need_passkey" | "requires_sso", isOn: boolean) =>
    sql.runText({
      text: `update partners set ${rule} = $2 where id = $1`,
      values: [account.ref.partnerId, isOn],
    });
  const secured = async () => (await countAdmins(account.context())).secured;
  await setRule("requires_sso", true);
  expect(await secured()).toBe(1);
  await setRule("requires_sso", false);
  expect(await secured()).toBe(0);

  // With the rule alone, a stolen password is enough to add the first passkey.
  await setRule("admins_need_passkey", true);
  expect(await secured()).toBe(0);
  await sql.runText({
    text: `insert into user_passkeys (id, user_id, name, public_key, counter, transports, is_synced, created_at)
           values ('a key', $1, 'a key', '', 0, '{}', false, now())`,
    values: [admin.id],
  });
  expect(await secured()).toBe(1);
  await setRule("admins_need_passkey", false);
  expect(await secured()).toBe(0);
});

test("a simulated line does not count; a real one counts when it is connected, up, active and healthy", async () => {
  expect(await check("line")).toMatchObject({ state: "todo", detail: expect.stringContaining("no line") });
  const phoneNumber = account.line.replace("+1555", "+1557");
  const { id } = await createLine(account.ref, { phoneNumber, lineType: "iMessage", transport: "twilio" });
  expect(await check("line")).toMatchObject({ state: "todo", detail: expect.stringContaining("None of 1") });
  await setLineConnection({ accountId: account.ref.id, id }, { token: "secret" });
  expect(await check("line")).toMatchObject({ state: "done" });
  expect(await check("contact_card")).toMatchObject({ state: "todo" });
  const where = { accountId_id: { accountId: account.ref.id, id } };
  await prisma().line.update({ where, data: { reputation: "AT_RISK" } });
  expect(await check("line")).toMatchObject({ state: "todo" });
  await sql.runText({
    text: `insert into contact_cards (account_id, line_id, id, first_name, is_active, created_at, updated_at)
           values ($1, $2, $3, 'Shop', true, now(), now())`,
    values: [account.ref.id, id, newId(1)],
  });
  expect(await check("contact_card")).toMatchObject({ state: "done" });
});

test("an endpoint counts when it accepted a delivery in the last week and is not failing", async () => {
  expect(await check("webhook")).toMatchObject({
    state: "todo",
    detail: expect.stringContaining("no active"),
  });
  const id = await subscribe();
  await countAttempt(id, "500", 1);
  await countAttempt(id, "200", 8 * 24);
  expect(await check("webhook")).toMatchObject({
    state: "todo",
    detail: expect.stringContaining("None of 1"),
  });
  await countAttempt(id, "204", 2);
  expect(await check("webhook")).toMatchObject({ state: "done" });
  const where = { accountId_id: { accountId: account.ref.id, id } };
  await prisma().webhookSubscription.update({ where, data: { failingSince: new Date() } });
  expect(await check("webhook")).toMatchObject({ state: "todo" });
});

test("a token without an expiry, and one that is about to expire, are to do", async () => {
  const expireIn = (days: number | null) =>
    sql.runText({
      text: "update api_tokens set expires_at = now() + make_interval(days => $2) where account_id = $1",
      values: [account.ref.id, days],
    });
  expect(await check("tokens")).toMatchObject({
    state: "todo",
    detail: expect.stringContaining("never expire"),
  });
  await expireIn(3);
  expect(await check("tokens")).toMatchObject({
    state: "todo",
    detail: expect.stringContaining("within 7 days"),
  });
  await expireIn(90);
  expect(await check("tokens")).toMatchObject({ state: "done" });
  await account.revokeToken();
  expect(await check("tokens")).toMatchObject({
    state: "todo",
    detail: expect.stringContaining("no active"),
  });
});

test("payments are optional until a processor is connected, which must charge with a live key", async () => {
  expect(await check("processor")).toMatchObject({ state: "optional" });
  await sql.runText({
    text: `insert into processor_connections (account_id, processor, merchant_id, can_charge, connected_at, updated_at)
           values ($1, 'stripe', 'acct_1', false, now(), now())`,
    values: [account.ref.id],
  });
  expect(await check("processor")).toMatchObject({
    state: "todo",
    detail: expect.stringContaining("can't charge"),
  });
  await sql.runText({ text: "update processor_connections set can_charge = true" });
  expect(await check("processor")).toMatchObject({
    state: "todo",
    detail: expect.stringContaining("test key"),
  });
  process.env.STRIPE_SECRET_KEY = "sk_live_1";
  expect(await check("processor")).toMatchObject({ state: "done" });
  delete process.env.STRIPE_SECRET_KEY;
});
