import "@/lib/testing/use-test-database";

import { beforeAll, expect, test } from "vitest";
import { POST as cancelRoute } from "@/app/api/agent-payments/[paymentId]/cancel/route";
import { GET as showRoute } from "@/app/api/agent-payments/[paymentId]/route";
import { GET as connectionsCsvRoute } from "@/app/api/agent-payments/connections/csv/route";
import { GET as connectionsRoute } from "@/app/api/agent-payments/connections/route";
import { GET as csvRoute } from "@/app/api/agent-payments/csv/route";
import { DELETE as disableRoute } from "@/app/api/agent-payments/providers/[provider]/route";
import { GET as listRoute } from "@/app/api/agent-payments/route";
import { PATCH as changeSettingsRoute, GET as settingsRoute } from "@/app/api/agent-payments/settings/route";
import { GET as totalsRoute } from "@/app/api/agent-payments/totals/route";
import { sql, transaction } from "@/lib/platform/database/db";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { untilLocked } from "@/lib/testing/database/until-locked";
import { createCustomer } from "@/lib/testing/payments/connect-customer";
import { type DashboardUser, signInAs } from "@/lib/testing/sign-in/sign-in-as";

let account: TestAccount;
let admin: DashboardUser;
let viewer: DashboardUser;

beforeAll(async () => {
  account = await createTestAccount({ type: "sandbox" });
  admin = await signInAs(account, "admin");
  viewer = await signInAs(account, "viewer");
});

const pay = (handle: string, more: object = {}) =>
  callApi("POST /v3/payments", {
    token: account.token,
    body: { amount_cents: 100, currency: "usd", handle, ...more },
  });

test("payments are listed newest first, by status and handle, page by page, and canceled before they have a card", async () => {
  for (const amount_cents of [1, 2, 3, 4, 5]) await pay("+16665550001", { amount_cents });
  await pay("+16665550002");
  const first = await viewer.call(listRoute, { query: { limit: "4", handle: "+16665550001" } });
  expect(first.body.payments.map(({ amount_cents }: { amount_cents: number }) => amount_cents)).toEqual([
    5, 4, 3, 2,
  ]);
  const query = { limit: "4", handle: "+16665550001", cursor: first.body.next_cursor };
  const second = await viewer.call(listRoute, { query });
  expect(second.body).toMatchObject({
    payments: [{ amount_cents: 1, waits_for: "agent" }],
    next_cursor: null,
  });

  const paymentId = second.body.payments[0].internal_id;
  expect((await viewer.call(cancelRoute, { method: "POST", params: { paymentId } })).status).toBe(403);
  expect((await admin.call(cancelRoute, { method: "POST", params: { paymentId } })).body.status).toBe(
    "canceled",
  );
  const canceled = await viewer.call(listRoute, { query: { status: "canceled" } });
  expect(canceled.body.payments).toHaveLength(1);
});

test("connected customers are listed, the last changed first", async () => {
  const handles = [await createCustomer(account), await createCustomer(account)];
  for (const handle of handles) {
    await callApi(`POST /v3/payments/handles/${handle}/connect`, { token: account.token });
  }
  const first = await viewer.call(connectionsRoute, { query: { limit: "1" } });
  const second = await viewer.call(connectionsRoute, {
    query: { limit: "1", cursor: first.body.next_cursor },
  });
  expect([first, second].map(({ body }) => body.connections[0].handle).sort()).toEqual(handles.sort());
  expect(second.body.next_cursor).toBeNull();

  const only = await viewer.call(connectionsRoute, { query: { handle: handles[0] ?? "" } });
  expect(only.body.connections).toMatchObject([{ handle: handles[0], payments: 0, last_paid_at: null }]);
  const none = await viewer.call(connectionsRoute, { query: { status: "connected,revoked" } });
  expect(none.body.connections).toEqual([]);
  const csv = await viewer.call(connectionsCsvRoute, { query: { status: "pending" } });
  expect(csv.body.split("\n")[0]).toContain("handle,provider,status");
  for (const handle of handles) expect(csv.body).toContain(`'${handle},servicecard,pending`);
});

test("payments are totaled a currency, and exported without the links that approve them", async () => {
  const own = await createTestAccount({ type: "sandbox" });
  const user = await signInAs(own, "viewer");
  const ask = (amount_cents: number, currency: string, handle = "+16665550011") =>
    callApi("POST /v3/payments", { token: own.token, body: { amount_cents, currency, handle } });
  for (const amount of [1000, 2050]) await ask(amount, "usd");
  await ask(500, "jpy");
  await ask(7, "usd", "+16665550012");
  await sql.runText({
    text: `update agent_payments set status = 'succeeded', ended_at = now() where account_id = $1 and amount_minor = 2050`,
    values: [own.ref.id],
  });

  const { body } = await user.call(totalsRoute, { query: { handle: "+16665550011" } });
  expect(body.totals).toEqual([
    { currency: "usd", count: 2, requested_text: "$30.50", paid_count: 1, paid_text: "$20.50" },
    { currency: "jpy", count: 1, requested_text: "¥500", paid_count: 0, paid_text: "¥0" },
  ]);
  const paid = await user.call(totalsRoute, { query: { status: "succeeded" } });
  expect(paid.body.totals).toMatchObject([{ currency: "usd", count: 1 }]);

  const csv = await user.call(csvRoute, { query: { handle: "+16665550011" } });
  expect(csv.body.trim().split("\n")).toHaveLength(4);
  expect(csv.body).toContain("$20.50");
  expect(csv.body).not.toContain("http");
});

test("spending is capped from the start; an admin alone changes the caps, and only what is given changes", async () => {
  const defaults = (await viewer.call(settingsRoute)).body;
  expect(defaults).toEqual({
    max_per_payment_cents: 50_000,
    max_per_handle_day_cents: 100_000,
    merchant_allow_list: [],
    approval_above_cents: 10_000,
    currency_limits: {},
  });
  const body = { max_per_payment_cents: 5000 };
  for (const role of ["developer", "support", "viewer"] as const) {
    const user = await signInAs(account, role);
    expect((await user.call(changeSettingsRoute, { method: "PATCH", body })).status).toBe(403);
  }
  const above = await pay("+16665550021", { amount_cents: 50_001 });
  expect([above.status, above.body.error.code]).toEqual([400, 1005]);
  expect((await pay("+16665550021", { amount_cents: 50_000 })).status).toBe(200);
  expect((await admin.call(changeSettingsRoute, { method: "PATCH", body })).body).toEqual({
    ...defaults,
    ...body,
  });
  expect((await viewer.call(settingsRoute)).body).toEqual({ ...defaults, ...body });
});

test("concurrent changes do not undo each other", async () => {
  const own = await createTestAccount({ type: "sandbox" });
  const user = await signInAs(own, "admin");
  const change = (body: object) => user.call(changeSettingsRoute, { method: "PATCH", body });
  const capped = { max_per_payment_cents: 5000, merchant_allow_list: ["harbor.example"] };

  await Promise.all([
    change({ approval_above_cents: 1 }),
    change({ max_per_handle_day_cents: 9000 }),
    change(capped),
  ]);
  const kept = { ...capped, approval_above_cents: 1, max_per_handle_day_cents: 9000, currency_limits: {} };
  expect((await user.call(settingsRoute)).body).toEqual(kept);

  const changing = await transaction(async (tx) => {
    await tx.runText({
      text: "update agent_pay_settings set max_per_payment_minor = 7 where account_id = $1",
      values: [own.ref.id],
    });
    const answer = change({ max_per_handle_day_cents: null });
    await untilLocked();
    return { answer };
  });
  const expected = { ...kept, max_per_payment_cents: 7, max_per_handle_day_cents: null };
  expect((await changing.answer).body).toEqual(expected);
  expect((await user.call(settingsRoute)).body).toEqual(expected);
});

test("limits of a currency are kept by its code, and a code that is none is refused", async () => {
  const limits = { max_per_payment_cents: 8000, max_per_handle_day_cents: null, approval_above_cents: 0 };
  const change = (currency: string) =>
    admin.call(changeSettingsRoute, { method: "PATCH", body: { currency_limits: { [currency]: limits } } });
  expect((await change("usdollar")).body.error.code).toBe(1005);
  expect((await change("JPY")).body.currency_limits).toEqual({ jpy: limits });
  expect((await viewer.call(settingsRoute)).body.currency_limits).toEqual({ jpy: limits });
});

test("a disabled provider issues no new cards", async () => {
  const params = { provider: "servicecard" };
  expect((await viewer.call(disableRoute, { method: "DELETE", params })).status).toBe(403);
  expect((await admin.call(disableRoute, { method: "DELETE", params })).body.status).toBe("disabled");
  expect((await pay("+16665550003")).body.error.code).toBe(2011);
});

test("a payment is shown beside the caps, with nothing spent before its card is made; another account's is not", async () => {
  const own = await createTestAccount({ type: "sandbox" });
  const user = await signInAs(own, "admin");
  await user.call(changeSettingsRoute, { method: "PATCH", body: { max_per_handle_day_cents: 20_000 } });
  const asked = { amount_cents: 4200, currency: "usd", handle: "+16665550009" };
  await callApi("POST /v3/payments", { token: own.token, body: asked });
  const { body } = await user.call(listRoute);
  const params = { paymentId: body.payments[0].internal_id };

  expect((await user.call(showRoute, { params })).body).toMatchObject({
    payment: { amount_text: "$42.00", status: "needs_connection", waits_for: "agent" },
    spent_today: { minor: 0, text: "$0.00" },
    per_day: { minor: 20_000, text: "$200.00" },
  });
  expect((await viewer.call(showRoute, { params })).status).toBe(403);
});
