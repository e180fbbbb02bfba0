import "@/lib/testing/use-test-database";

import { expect, test } from "vitest";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount } from "@/lib/testing/create-test-account";
import { deliveryOf, runWebhookDelivery } from "@/lib/testing/events/run-webhook-delivery";

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

test("logs of another partner, or of its subscription, are refused", async () => {
  const stranger = await createTestAccount({ type: "sandbox" });
  const { id } = await delivery.subscribe("https://c.example");
  expect((await logs(`subscription_id=${id}`, stranger.token)).status).toBe(403);
  expect((await logs(`partner_id=${delivery.account().ref.partnerId}`, stranger.token)).status).toBe(403);
  expect((await logs("", stranger.token)).webhook_logs).toEqual([]);
  expect((await logs("status=lost")).status).toBe(400);
});
