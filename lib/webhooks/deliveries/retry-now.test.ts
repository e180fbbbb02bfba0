import "@/lib/testing/use-test-database";

import { afterEach, beforeEach, expect, test } from "vitest";
import { POST as previewRoute } from "@/app/api/webhooks/[subscriptionId]/replays/preview/route";
import { POST as retryRoute } from "@/app/api/webhooks/[subscriptionId]/retry/route";
import { emitEvents } from "@/lib/events/store/emit-event";
import { sql, transaction } from "@/lib/platform/database/db";
import { newId } from "@/lib/platform/ids";
import { now, setClock } from "@/lib/platform/time/clock";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { testEvent } from "@/lib/testing/events/test-event";
import { type Receiver, startReceiver } from "@/lib/testing/servers/start-receiver";
import { type DashboardUser, signInAs } from "@/lib/testing/sign-in/sign-in-as";
import { until } from "@/lib/testing/until";
import { startWebhookDelivery } from "@/lib/webhooks/deliveries/deliver-webhooks";

const HOUR_MS = 3_600_000;

let account: TestAccount;
let developer: DashboardUser;
let receiver: Receiver;

beforeEach(async () => {
  account = await createTestAccount({ type: "sandbox" });
  developer = await signInAs(account, "developer");
  receiver = await startReceiver();
});

afterEach(async () => {
  await sql.runText({ text: "delete from webhook_deliveries where status = 'waiting'" });
  await receiver.close();
});

async function subscribe(): Promise<string> {
  const { status, body } = await callApi("POST /v3/webhook-subscriptions", {
    token: account.token,
    body: { target_url: receiver.url, subscribed_events: ["message.sent"] },
  });
  expect(status).toBe(201);
  return body.id;
}

/** Creates deliveries of which so many have failed twice and wait an hour for their third attempt. */
async function owe(subscriptionId: string, counts: { failed: number; fresh: number }): Promise<void> {
  const events = Array.from({ length: counts.failed + counts.fresh }, () => ({
    id: newId(now().getTime()),
    ...testEvent(account.ref.id),
  }));
  await transaction((tx) => emitEvents(tx, events));
  await sql.runText({
    text: `update webhook_deliveries d set run_at = d.run_at + interval '1 hour',
             attempts = case when n <= $2 then 2 else 0 end, waited_ms = case when n <= $2 then $3::int else 0 end
           from (select id, row_number() over (order by event_seq) as n from webhook_deliveries
                 where subscription_id = $1) numbered
           where d.subscription_id = $1 and d.id = numbered.id`,
    values: [subscriptionId, counts.failed, HOUR_MS + 30_000],
  });
}

interface Row {
  attempts: number;
  is_later: boolean;
  waited_ms: number;
  status: string;
}

function deliveriesOf(subscriptionId: string): Promise<Row[]> {
  return sql.runText<Row>({
    text: `select attempts, run_at > $2 as is_later, waited_ms, status::text from webhook_deliveries
           where subscription_id = $1 order by attempts desc, event_seq`,
    values: [subscriptionId, now()],
  });
}

function retry(subscriptionId: string, by = developer) {
  return by.call(retryRoute, { method: "POST", params: { subscriptionId } });
}

async function preview(subscriptionId: string) {
  const body = { filter: { statuses: ["failed"] } };
  return (await developer.call(previewRoute, { method: "POST", params: { subscriptionId }, body })).body;
}

test("only deliveries that wait for a retry are attempted now, and the skipped wait doesn't count", async () => {
  const id = await subscribe();
  await owe(id, { failed: 2, fresh: 1 });
  const before = await preview(id);
  expect(before).toMatchObject({ total: 0, retrying: 2 });
  expect(Date.parse(before.next_retry_at)).toBeGreaterThan(now().getTime() + HOUR_MS / 2);

  expect(await retry(id)).toMatchObject({ status: 200, body: { retried: 2 } });

  const [first, second, fresh] = await deliveriesOf(id);
  for (const row of [first, second]) {
    expect(row).toMatchObject({ attempts: 2, is_later: false });
    expect(row?.waited_ms).toBeLessThan(HOUR_MS / 2);
  }
  expect(fresh).toMatchObject({ attempts: 0, is_later: true });
  expect(await preview(id)).toMatchObject({ retrying: 0, next_retry_at: null });
  const queue = startWebhookDelivery({ answerMs: 1000 });
  await until(
    async () => (await deliveriesOf(id)).filter(({ status }) => status === "delivered").length === 2,
  );
  await queue.stop();
  expect(receiver.received).toHaveLength(2);
});

test("the audit log has the number of deliveries, unless there were none", async () => {
  const id = await subscribe();
  expect((await retry(id)).body).toEqual({ retried: 0 });
  await owe(id, { failed: 3, fresh: 0 });
  await retry(id);

  const entries = await sql.runText({
    text: "select actor_id, detail from audit_entries where object_id = $1 and action = 'webhook_subscription.retried'",
    values: [id],
  });
  expect(entries).toEqual([{ actor_id: developer.id, detail: { retried: 3 } }]);
});

test("two retries at once take each delivery once", async () => {
  const id = await subscribe();
  await owe(id, { failed: 20, fresh: 0 });

  const answers = await Promise.all(Array.from({ length: 5 }, () => retry(id)));

  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  expect(answers.reduce((sum, { body }) => sum + body.retried, 0)).toBe(20);
});

test("a paused endpoint, another partner's endpoint and a role without the right are refused", async () => {
  const id = await subscribe();
  await owe(id, { failed: 1, fresh: 0 });
  const stranger = await signInAs(await createTestAccount({ type: "sandbox" }), "admin");
  const support = await signInAs(account, "support");
  expect((await retry(id, stranger)).status).toBe(403);
  expect((await retry(id, support)).body.error.code).toBe(2005);

  await callApi(`PUT /v3/webhook-subscriptions/${id}`, { token: account.token, body: { is_active: false } });
  expect(await retry(id)).toMatchObject({ status: 409, body: { error: { code: 2015 } } });
  expect((await deliveriesOf(id))[0]).toMatchObject({ is_later: true, attempts: 2 });
});

test("a retry that began earlier leaves alone what another has made due since", async () => {
  const id = await subscribe();
  await owe(id, { failed: 2, fresh: 0 });
  const later = now();
  try {
    setClock({ offsetMs: 0, frozenAt: later });
    expect((await retry(id)).body).toEqual({ retried: 2 });
    setClock({ offsetMs: 0, frozenAt: new Date(later.getTime() - 5) });
    expect((await retry(id)).body).toEqual({ retried: 0 });
  } finally {
    setClock(null);
  }
});
