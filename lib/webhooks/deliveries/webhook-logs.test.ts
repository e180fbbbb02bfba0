import "@/lib/testing/use-test-database";

import { expect, test } from "vitest";
import { sql } from "@/lib/platform/database/db";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount } from "@/lib/testing/create-test-account";
import { explainStatements } from "@/lib/testing/database/explain-statements";
import { createDeliveredEvents } from "@/lib/testing/events/create-delivered-events";
import { deliveryOf, runWebhookDelivery } from "@/lib/testing/events/run-webhook-delivery";
import { ListDeliveries, listDeliveries } from "@/lib/webhooks/deliveries/list-deliveries";

const delivery = runWebhookDelivery();

async function logs(query: string, token = delivery.account().token) {
  const { status, body } = await callApi(`GET /v1/webhook-logs?${query}`, { token });
  return { status, ...body };
}

test("the id of the token's partner is that of its webhooks", async () => {
  const { token, ref } = delivery.account();
  expect((await callApi("GET /partner-id", { token })).body).toEqual({ partnerId: ref.partnerId });
  expect((await callApi("GET /partner-id")).status).toBe(401);
});

test("logs show how the last attempt of each webhook ended, newest first, by status, type and page", async () => {
  const good = await delivery.subscribe((await delivery.receive()).url);
  const refusing = await delivery.receive((response) => response.writeHead(400).end("no"));
  const bad = await delivery.subscribe(refusing.url);
  const busy = await delivery.receive((response) => response.writeHead(503).end("later"));
  const waiting = await delivery.subscribe(busy.url);
  await delivery.emit("message.sent");
  await deliveryOf(good.id);
  await deliveryOf(bad.id);
  await deliveryOf(waiting.id, ({ tries }) => tries.length > 0);

  const all = await logs(`partner_id=${delivery.account().ref.partnerId}&org_id=any`);
  expect(all.pagination).toEqual({ has_more: false, next_cursor: null, per_page: 20 });
  expect(all.webhook_logs).toHaveLength(3);
  const [failed] = (await logs("status=failed")).webhook_logs;
  expect(failed).toMatchObject({
    subscription_id: bad.id,
    target_url: refusing.url,
    webhook_event_type: "message.sent",
    http_status_code: 400,
    status: "failed",
    attempt: 1,
    max_attempts: 11,
    error_type: "http_error",
    error_message: "The endpoint returned status 400",
  });
  const [success] = (await logs(`subscription_id=${good.id}`)).webhook_logs;
  expect(success).toMatchObject({ status: "success", error_type: null, error_message: null });
  expect((await logs("status=retrying")).webhook_logs).toMatchObject([{ subscription_id: waiting.id }]);
  expect((await logs("event_type=message.read")).webhook_logs).toEqual([]);

  const first = await logs("per_page=2");
  const second = await logs(`per_page=2&cursor=${first.pagination.next_cursor}`);
  expect([first.pagination.has_more, second.pagination.has_more]).toEqual([true, false]);
  const ids = [...first.webhook_logs, ...second.webhook_logs].map((entry) => entry.subscription_id);
  expect(ids.toSorted()).toEqual([good.id, bad.id, waiting.id].toSorted());
});

test("a page of failed and stopped deliveries reads only these, in the order of the log", async () => {
  const account = await createTestAccount({ type: "sandbox" });
  await createDeliveredEvents(account, 4000);
  // Every 20th delivery failed, or stopped its chat.
  await sql.runText({
    text: `with numbered as (
             select id, row_number() over (order by event_seq) as n from webhook_deliveries where account_id = $1
           ), changed as (
             update webhook_deliveries d set attempts = 1,
               status = (case when n % 40 = 0 then 'failed' else 'waiting' end)::webhook_delivery_status,
               queue_chat_id = case when n % 40 <> 0 then gen_random_uuid() end,
               stopped_at = case when n % 40 <> 0 then now() end, ended_at = case when n % 40 = 0 then now() end
             from numbered where d.account_id = $1 and d.id = numbered.id and n % 20 = 0
             returning d.account_id, d.id, d.event_seq
           )
           insert into webhook_attempts (account_id, event_seq, delivery_id, number, started_at, latency_ms, status_code)
           select account_id, event_seq, id, 1, now(), 1, 400 from changed`,
    values: [account.ref.id],
  });
  await sql.runText({ text: "analyze webhook_deliveries, events, webhook_attempts, webhook_subscriptions" });
  const events = await sql.runText<{ id: string }>({
    text: `select e.id from webhook_deliveries d join events e on e.account_id = d.account_id and e.seq = d.event_seq
           where d.account_id = $1 and d.status <> 'delivered' order by e.seq desc`,
    values: [account.ref.id],
  });

  const first = await logs("status=failed&per_page=10", account.token);
  const query = `status=failed&per_page=10&cursor=${first.pagination.next_cursor}`;
  const second = await logs(query, account.token);
  const shown = [...first.webhook_logs, ...second.webhook_logs];
  expect(shown.map(({ event_id }) => event_id)).toEqual(events.slice(0, 20).map(({ id }) => id));
  expect(new Set(shown.map(({ status }) => status))).toEqual(new Set(["failed"]));
  const parsed = ListDeliveries.query.parse(Object.fromEntries(new URLSearchParams(query)));
  const scans = await explainStatements(() => listDeliveries(account.context(), { query: parsed }));
  const read = scans.filter(({ on }) => on === "webhook_deliveries").reduce((sum, { rows }) => sum + rows, 0);
  expect(read).toBeGreaterThanOrEqual(11);
  expect(read).toBeLessThan(30);
  expect((await logs("status=retrying", account.token)).webhook_logs).toEqual([]);
});

test("logs of another partner, or of its subscription, are refused", async () => {
  const stranger = await createTestAccount({ type: "sandbox" });
  const { id } = await delivery.subscribe("https://c.example");
  expect((await logs(`subscription_id=${id}`, stranger.token)).status).toBe(403);
  expect((await logs(`partner_id=${delivery.account().ref.partnerId}`, stranger.token)).status).toBe(403);
  expect((await logs("", stranger.token)).webhook_logs).toEqual([]);
  expect((await logs("status=lost")).status).toBe(400);
});
