import "@/lib/testing/use-test-database";

import { beforeAll, expect, test } from "vitest";
import { DELETE as dismiss, PUT as restore } from "@/app/api/notices/[noticeId]/route";
import { GET as notices } from "@/app/api/notices/route";
import { PUT as rateLimit } from "@/app/api/webhook-subscriptions/[subscriptionId]/rate-limit/route";
import { POST as rotate } from "@/app/api/webhook-subscriptions/[subscriptionId]/rotate/route";
import {
  GET as get,
  DELETE as remove,
  PUT as update,
} from "@/app/api/webhook-subscriptions/[subscriptionId]/route";
import { POST as switchNow } from "@/app/api/webhook-subscriptions/[subscriptionId]/switch/route";
import { POST as create, GET as list } from "@/app/api/webhook-subscriptions/route";
import { GET as deliveries } from "@/app/api/webhooks/[subscriptionId]/deliveries/route";
import { GET as stats } from "@/app/api/webhooks/[subscriptionId]/stats/route";
import { GET as delivery } from "@/app/api/webhooks/deliveries/[deliveryId]/route";
import { sql, transaction } from "@/lib/platform/database/db";
import { now } from "@/lib/platform/time/clock";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { createDirectChat, createTestPhone } from "@/lib/testing/factories";
import { type DashboardUser, signInAs } from "@/lib/testing/sign-in/sign-in-as";
import { noticeFailing, withdrawEndpointNotices } from "@/lib/webhooks/subscriptions/endpoint-notice";

const TARGET = "https://hooks.example.com/a";

let account: TestAccount;
let admin: DashboardUser;
let developer: DashboardUser;
let viewer: DashboardUser;

beforeAll(async () => {
  account = await createTestAccount({ type: "sandbox" });
  [admin, developer, viewer] = await Promise.all([
    signInAs(account, "admin"),
    signInAs(account, "developer"),
    signInAs(account, "viewer"),
  ]);
});

test("a developer runs an endpoint from the dashboard, from its creation to its end", async () => {
  const made = await developer.call(create, {
    method: "POST",
    body: { target_url: TARGET, subscribed_events: ["message.received"] },
  });
  expect([made.status, made.body.signing_secret]).toEqual([201, expect.stringMatching(/^whsec_/)]);
  const params = { subscriptionId: made.body.id };

  const listed = await viewer.call(list);
  expect(listed.body.endpoints).toMatchObject([
    { id: made.body.id, state: "active", last_24_hours: { succeeded: 0, failed: 0 } },
  ]);
  expect((await viewer.call(get, { params })).body).toMatchObject({ target_url: TARGET, rate_limit: null });

  const paused = await developer.call(update, { method: "PUT", params, body: { is_active: false } });
  expect(paused.body.is_active).toBe(false);
  await createDirectChat(account, await createTestPhone(account));
  const pending = await viewer.call(deliveries, { params, query: { status: "skipped" } });
  expect(pending.body.deliveries).toMatchObject([{ event: { type: "message.received" }, status: "skipped" }]);
  const deliveryId = pending.body.deliveries[0].id;
  const shown = await viewer.call(delivery, { params: { deliveryId } });
  expect(shown.body.payload).toMatchObject({ event_type: "message.received", sequence: 1 });
  expect((await viewer.call(stats, { params, query: { period: "7d" } })).body.buckets).toHaveLength(28);

  const rotated = await admin.call(rotate, { method: "POST", params, body: { overlap_hours: 48 } });
  expect([rotated.status, rotated.body.signing_secret]).toEqual([200, expect.stringMatching(/^whsec_/)]);
  expect((await admin.call(switchNow, { method: "POST", params, body: {} })).status).toBe(204);
  expect((await admin.call(rateLimit, { method: "PUT", params, body: { rate_limit: 5 } })).status).toBe(204);
  expect((await viewer.call(get, { params })).body).toMatchObject({
    state: "paused",
    rate_limit: 5,
    signing_secret_state: { legacy_signed_by: "current", previous_valid_until: expect.any(String) },
  });

  expect((await developer.call(remove, { method: "DELETE", params })).status).toBe(204);
  expect((await viewer.call(get, { params })).body.error.code).toBe(2010);
});

test("an endpoint has a name in the dashboard only, and each change of it is audited", async () => {
  const made = await developer.call(create, {
    method: "POST",
    body: { target_url: `${TARGET}/named`, subscribed_events: ["message.received"], name: "  Orders " },
  });
  const params = { subscriptionId: made.body.id };
  const nameOf = async () => (await viewer.call(get, { params })).body.name;
  expect(await nameOf()).toBe("Orders");

  const change = (body: object) => developer.call(update, { method: "PUT", params, body });
  expect((await change({ name: "x".repeat(81) })).body.error.code).toBe(1005);
  await change({ subscribed_events: ["message.sent"] });
  expect(await nameOf()).toBe("Orders");
  await change({ name: "Orders of Berlin" });
  const byProgram = { token: account.token, body: { name: "By a program", phone_numbers: null } };
  expect((await callApi(`PUT /v3/webhook-subscriptions/${made.body.id}`, byProgram)).status).toBe(200);
  expect(await nameOf()).toBe("Orders of Berlin");
  const read = await callApi(`GET /v3/webhook-subscriptions/${made.body.id}`, { token: account.token });
  expect(read.body).not.toHaveProperty("name");
  await change({ name: " " });
  expect(await nameOf()).toBeNull();

  const entries = await sql.runText<{ name: string }>({
    text: `select coalesce(detail -> 'to', detail) -> 'name' as name from audit_entries
           where object_id = $1 and coalesce(detail -> 'to', detail) ? 'name' order by id`,
    values: [made.body.id],
  });
  expect(entries.map(({ name }) => name)).toEqual(["Orders", "Orders of Berlin", null]);
  expect((await developer.call(remove, { method: "DELETE", params })).status).toBe(204);
});

test("deliveries name the recipient and the subject of their event", async () => {
  const made = await developer.call(create, {
    method: "POST",
    body: { target_url: `${TARGET}/subjects`, subscribed_events: ["message.received"] },
  });
  const params = { subscriptionId: made.body.id };
  const phone = await createTestPhone(account);
  await createDirectChat(account, phone);
  const { body } = await viewer.call(deliveries, { params });
  expect(body.deliveries).toMatchObject([{ event: { recipient: phone, subject: "hello" } }]);
  expect((await developer.call(remove, { method: "DELETE", params })).status).toBe(204);
});

test("a viewer can't change an endpoint", async () => {
  const { body } = await developer.call(create, {
    method: "POST",
    body: { target_url: `${TARGET}?2`, subscribed_events: ["message.sent"] },
  });
  const params = { subscriptionId: body.id };
  const refused = await Promise.all([
    viewer.call(create, {
      method: "POST",
      body: { target_url: TARGET, subscribed_events: ["message.sent"] },
    }),
    viewer.call(update, { method: "PUT", params, body: { is_active: false } }),
    viewer.call(remove, { method: "DELETE", params }),
    viewer.call(rotate, { method: "POST", params, body: {} }),
    viewer.call(switchNow, { method: "POST", params, body: {} }),
    viewer.call(rateLimit, { method: "PUT", params, body: { rate_limit: 1 } }),
  ]);
  expect(refused.map((answer) => answer.body.error.code)).toEqual([2005, 2005, 2005, 2005, 2005, 2005]);
  expect((await viewer.call(get, { params })).body).toMatchObject({ is_active: true, rate_limit: null });
});

test.each([
  [rotate, { overlap_hours: 169 }],
  [rotate, { overlap_hours: -1 }],
  [rotate, { overlap_hours: 1.5 }],
  [rateLimit, { rate_limit: 0 }],
  [rateLimit, { rate_limit: 1001 }],
])("an overlap or a rate out of range is 400: %o %o", async (route, body) => {
  const params = { subscriptionId: "019ca9c2-4c00-7a31-8f00-2b6c1d4e5f60" };
  const method = route === rotate ? ("POST" as const) : ("PUT" as const);
  const answer = await admin.call(route, { method, params, body });
  expect(answer.status).toBe(400);
});

test("a notice is listed for everyone, and each user dismisses it only for themselves", async () => {
  const id = "019ca9c2-4c00-7a31-8f00-2b6c1d4e5f60";
  await transaction((tx) =>
    noticeFailing(
      tx,
      { accountId: account.ref.id, id, targetUrl: TARGET },
      { severity: "warning", body: "50 %", at: now() },
    ),
  );
  const listed = async (user: typeof viewer, status: "open" | "past") =>
    (await user.call(notices, { query: { status } })).body.notices;
  const [notice] = await listed(viewer, "open");
  expect(notice).toMatchObject({
    kind: "webhook_failing",
    severity: "warning",
    link: `/webhooks/${id}`,
    title: expect.stringContaining("hooks.example.com"),
    state: "open",
    closed_at: null,
  });
  const params = { noticeId: notice.id };
  for (let again = 0; again < 2; again++) {
    expect((await viewer.call(dismiss, { method: "DELETE", params })).status).toBe(204);
  }
  expect(await listed(viewer, "open")).toEqual([]);
  expect(await listed(viewer, "past")).toMatchObject([{ id: notice.id, state: "dismissed" }]);
  expect(await listed(admin, "open")).toMatchObject([{ id: notice.id, state: "open" }]);

  expect((await viewer.call(restore, { method: "PUT", params })).status).toBe(204);
  expect(await listed(viewer, "open")).toMatchObject([{ id: notice.id }]);

  await transaction((tx) => withdrawEndpointNotices(tx, { accountId: account.ref.id, id }, now()));
  for (const user of [viewer, admin, developer]) {
    expect(await listed(user, "open")).toEqual([]);
    expect(await listed(user, "past")).toMatchObject([{ id: notice.id, state: "ended" }]);
  }
});
