import "@/lib/testing/use-test-database";

import { expect, test } from "vitest";
import { updateAccountOptions } from "@/lib/identity/accounts/update-account-options";
import { prisma, sql } from "@/lib/platform/database/db";
import { callApi } from "@/lib/testing/call-api";
import { runWebhookDelivery } from "@/lib/testing/events/run-webhook-delivery";
import { until } from "@/lib/testing/until";

const { account, emit, receive, subscribe } = runWebhookDelivery();

const update = (id: string, body: object) =>
  callApi(`PUT /v3/webhook-subscriptions/${id}`, { token: account().token, body });

async function routingEvents() {
  const rows = await sql.runText<{ type: string; change: object }>({
    text: `select type, data->'change' as change from events
           where account_id = $1 and type like 'webhook_subscription.routing%' order by seq`,
    values: [account().ref.id],
  });
  return rows.map(({ type, change }) => [type.split("_").at(-1), change]);
}

test("deliveries of a chat carry its id and the token the receiver last answered for it, other chats' do not", async () => {
  const receiver = await receive((response, count) => {
    response.setHeader("X-Node", count === 2 ? "not on a failure" : `node-${count}`);
    response.writeHead(count === 2 ? 400 : 200).end();
  });
  const { id } = await subscribe(receiver.url, { routing_key_header: "X-Node" });
  const [chatId, other] = [crypto.randomUUID(), crypto.randomUUID()];
  for (const [index, of] of [chatId, chatId, chatId, other, null].entries()) {
    await emit("message.sent", { chatId: of });
    await until(() => receiver.received.length === index + 1);
    await until(
      async () =>
        (await prisma().webhookDelivery.count({ where: { subscriptionId: id, endedAt: null } })) === 0,
    );
  }
  expect(receiver.received.map(({ headers }) => [headers["linq-chat-id"], headers["x-node"]])).toEqual([
    [chatId, undefined],
    [chatId, "node-1"],
    [chatId, "node-1"],
    [other, undefined],
    [undefined, undefined],
  ]);

  await update(id, { routing_key_header: "X-Shard", routing_id_header: "X-Chat" });
  await emit("message.sent", { chatId });
  await until(() => receiver.received.length === 6);
  const { headers } = receiver.received[5] ?? { headers: {} as Record<string, string> };
  expect([headers["x-chat"], headers["x-node"], headers["x-shard"]]).toEqual([chatId, undefined, undefined]);
});

test("the headers are shown, set, cleared by null and by an empty string, each reported by an event", async () => {
  const before = (await routingEvents()).length;
  const { id } = await subscribe("https://hooks.example.com/routed");
  const shown = async () => {
    const { body } = await callApi(`GET /v3/webhook-subscriptions/${id}`, { token: account().token });
    return [body.routing_key_header, body.routing_id_header];
  };
  expect(await shown()).toEqual([null, null]);
  await update(id, { routing_id_header: "X-Chat" });
  expect(await shown()).toEqual([null, "X-Chat"]);
  await update(id, { routing_key_header: "X-Route" });
  expect(await shown()).toEqual(["X-Route", "X-Chat"]);
  await update(id, { routing_id_header: null, is_active: true });
  await update(id, { routing_key_header: "" });
  expect(await shown()).toEqual([null, null]);

  const both = { routing_key_header: "X-Route", routing_id_header: "X-Chat" };
  const key = { routing_key_header: "X-Route", routing_id_header: null };
  expect((await routingEvents()).slice(before)).toEqual([
    ["set", { from: null, to: both }],
    ["set", { from: both, to: key }],
    ["cleared", { from: key, to: null }],
  ]);
});

test.each([
  ["a header Trunkline sets", { routing_key_header: "Webhook-Signature" }],
  ["a header of HTTP", { routing_key_header: "content-length" }],
  ["no header name", { routing_key_header: "x route" }],
  ["a name of 101 characters", { routing_id_header: "x".repeat(101) }],
  ["the same for both", { routing_key_header: "X-Chat", routing_id_header: "x-chat" }],
])("%s is 400/1005", async (_what, headers) => {
  const body = {
    target_url: "https://hooks.example.com/refused",
    subscribed_events: ["message.sent"],
    ...headers,
  };
  const answer = await callApi("POST /v3/webhook-subscriptions", { token: account().token, body });
  expect([answer.status, answer.body.error.code]).toEqual([400, 1005]);
});

test("without ?version= a subscription takes the account's default payload version", async () => {
  const versionOf = async (path: string) => {
    const { id } = await subscribe(`https://hooks.example.com/${path}`);
    return (await prisma().webhookSubscription.findFirstOrThrow({ where: { id } })).version;
  };
  expect(await versionOf("newest")).toBe("2026-02-03");
  await updateAccountOptions(account().context(), { body: { default_webhook_version: "2025-01-01" } });
  expect(await versionOf("oldest")).toBe("2025-01-01");
  expect(await versionOf("named?version=2026-02-03")).toBe("2026-02-03");
  await updateAccountOptions(account().context(), { body: { default_webhook_version: "2026-02-03" } });
});
