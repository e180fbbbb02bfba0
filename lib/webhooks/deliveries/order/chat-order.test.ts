import "@/lib/testing/use-test-database";

import { afterEach, beforeEach, expect, test } from "vitest";
import { POST as resumeRoute } from "@/app/api/webhooks/[subscriptionId]/resume-chats/route";
import { ListEventViews, listEventViews } from "@/lib/events/search/list-event-views";
import { prisma, sql } from "@/lib/platform/database/db";
import { getTrace } from "@/lib/runtime/dashboard/get-trace";
import { WEBHOOK_TOOLS } from "@/lib/runtime/mcp/webhook-tools";
import { callApi } from "@/lib/testing/call-api";
import { HeldReceiver, OrderedChats } from "@/lib/testing/events/ordered-chats";
import { advance, deliveriesOf, runWebhookDelivery } from "@/lib/testing/events/run-webhook-delivery";
import { signInAs } from "@/lib/testing/sign-in/sign-in-as";
import { until } from "@/lib/testing/until";
import { getEventView } from "@/lib/webhooks/deliveries/get-event-view";
import { ListDeliveryViews, listDeliveryViews } from "@/lib/webhooks/deliveries/list-delivery-views";
import { getWebhookSubscriptionView } from "@/lib/webhooks/endpoints/get-webhook-subscription-view";
import { startReplays } from "@/lib/webhooks/replays/work-replays";

const SUBSCRIPTIONS = "/v3/webhook-subscriptions";

const { account, subscribe } = runWebhookDelivery();
let chats: OrderedChats;
let held: HeldReceiver;

beforeEach(async () => {
  chats = new OrderedChats(() => account().ref.id);
  held = await HeldReceiver.start(chats);
});

afterEach(() => held.receiver.close());

async function subscribeInOrder(fields: object = {}): Promise<string> {
  const { id } = await subscribe(held.receiver.url, { ordering: "chat", ...fields });
  return id;
}

function change(id: string, body: object) {
  return callApi(`PUT ${SUBSCRIPTIONS}/${id}`, { token: account().token, body });
}

function resume(id: string, body: object) {
  return callApi(`POST ${SUBSCRIPTIONS}/${id}/resume-chats`, { token: account().token, body });
}

async function untilStates(id: string, ...states: string[]): Promise<void> {
  await until(async () => (await chats.statesOf(id)).join() === states.join());
}

test("a subscription without the option has no queues; the fields are validated and absent until they are set", async () => {
  const { id } = await subscribe(held.receiver.url);
  const found = await callApi(`GET ${SUBSCRIPTIONS}/${id}`, { token: account().token });
  expect(found.body).not.toHaveProperty("ordering");
  expect(found.body).not.toHaveProperty("on_exhausted");
  await chats.emit("AA");
  await held.untilWaiting("A1", "A2");
  expect(await prisma().webhookDelivery.findMany({ where: { queueChatId: { not: null } } })).toEqual([]);
  expect(await sql.runText({ text: "select from webhook_sequences where turn is not null" })).toEqual([]);

  expect((await change(id, { ordering: "chat", on_exhausted: "stop" })).body).toMatchObject({
    ordering: "chat",
    on_exhausted: "stop",
  });
  expect((await change(id, { on_exhausted: null })).body).toMatchObject({ on_exhausted: "skip" });
  expect((await change(id, { ordering: "none" })).body).not.toHaveProperty("on_exhausted");
  for (const body of [
    { on_exhausted: "stop" },
    { ordering: "line" },
    { ordering: "chat", on_exhausted: "wait" },
  ]) {
    expect((await change(id, body)).body.error.code, JSON.stringify(body)).toBe(1005);
  }
  const both = await change(id, { ordering: "none", on_exhausted: "stop" });
  expect(both.body.error.message).toContain("on_exhausted can be stop only with ordering chat");
});

test("a chat's next event waits for the answer to the last and its retries; other chats and events without one go on", async () => {
  const id = await subscribeInOrder();
  const plain = await HeldReceiver.start(chats);
  await subscribe(plain.receiver.url);
  await chats.emit("AAAB-");
  await chats.emit("-A");
  await held.untilWaiting("A1", "B1", "-1", "-2");
  await plain.untilWaiting("A1", "A2", "A3", "A4", "B1", "-1", "-2");
  expect(held.waiting).toEqual(["-1", "-2", "A1", "B1"]);

  await held.answer("A1", 500);
  await held.answer("B1");
  await chats.emit("B");
  await held.untilWaiting("B2");
  await untilStates(
    id,
    "A1 turn",
    "A2 waiting",
    "A3 waiting",
    "B1 delivered",
    "-1 turn",
    "-2 turn",
    "A4 waiting",
    "B2 turn",
  );
  const [first] = await deliveriesOf(id);
  advance(3000);
  await held.untilWaiting("A1");
  expect(held.came.filter((name) => name.startsWith("A"))).toEqual(["A1", "A1"]);

  for (const name of ["A1", "A2", "A3", "A4"]) await held.answer(name);
  await untilStates(
    id,
    ..."A1 A2 A3 B1".split(" ").map((name) => `${name} delivered`),
    "-1 turn",
    "-2 turn",
    "A4 delivered",
    "B2 turn",
  );
  expect(held.came.filter((name) => name.startsWith("A"))).toEqual(["A1", "A1", "A2", "A3", "A4"]);
  expect(first).toMatchObject({ queueChatId: chats.chatId("A") });
  // The queue is empty again: the next event is due at once.
  await chats.emit("A");
  await held.untilWaiting("A5");
  await plain.receiver.close();
});

test("after the last retry, skip goes on with the chat's next event", async () => {
  const id = await subscribeInOrder({ retry_seconds: [1] });
  await chats.emit("AAA");
  await held.answer("A1", 500);
  await until(async () => (await deliveriesOf(id))[0]?.tries.length === 1);
  advance(2000);
  await held.answer("A1", 500);
  await held.answer("A2", 404);
  await held.untilWaiting("A3");
  expect(await chats.statesOf(id)).toEqual(["A1 failed", "A2 failed", "A3 turn"]);
});

/** The event log, the event and its trace say "stopped" of A1 and B1, and of no other delivery. */
async function expectStopped(): Promise<void> {
  const ctx = account().context();
  const search = (status: string) => listEventViews(ctx, { query: ListEventViews.query.parse({ status }) });
  const { events } = await search("stopped");
  expect(events.map(({ id }) => chats.nameOf(id)).toSorted()).toEqual(["A1", "B1"]);
  expect(events[0]?.deliveries).toEqual({ waiting: 0, stopped: 1, delivered: 0, failed: 0, skipped: 0 });
  const waiting = (await search("waiting")).events.map(({ id }) => chats.nameOf(id));
  expect(waiting.toSorted()).toEqual(["A2", "A3", "A4", "B2", "B3", "C1"]);

  const [event] = events;
  if (event === undefined) throw new Error("no event is stopped");
  const { deliveries } = await getEventView(ctx, { params: { seq: event.seq } });
  expect(deliveries).toMatchObject([{ status: "stopped", next_attempt_at: null, attempts: [{ number: 1 }] }]);
  const { steps } = await getTrace(ctx, { params: { traceId: event.trace_id } });
  const ofEvent = steps.filter((step) => step.type === "webhook" && step.delivery_id === deliveries[0]?.id);
  expect(ofEvent).toMatchObject([
    { number: 1, status_code: 400, delivery_status: "stopped", stopped_chat: true },
  ]);
}

async function attemptsInTrace(name: string) {
  const ctx = account().context();
  const query = ListEventViews.query.parse({ status: "stopped" });
  const event = (await listEventViews(ctx, { query })).events.find(({ id }) => chats.nameOf(id) === name);
  const { steps } = await getTrace(ctx, { params: { traceId: event?.trace_id ?? "" } });
  return steps.filter((step) => step.type === "webhook" && step.number !== null);
}

async function failingOf(id: string): Promise<unknown> {
  const tool = WEBHOOK_TOOLS.find(({ name }) => name === "list_failing_deliveries");
  const found = await tool?.run(account().context(), { subscription_id: id, limit: 2 });
  return (found as { endpoints: { failing_deliveries: unknown }[] }).endpoints[0]?.failing_deliveries;
}

test("after the last retry, stop keeps the chat's events until a person retries or skips, and shows it", async () => {
  const id = await subscribeInOrder({ on_exhausted: "stop" });
  await chats.emit("AAABB");
  await held.answer("A1", 400);
  await held.answer("B1", 400);
  await untilStates(id, "A1 stopped", "A2 waiting", "A3 waiting", "B1 stopped", "B2 waiting");
  await chats.emit("ABC");
  await held.untilWaiting("C1");
  advance(3_600_000);
  expect(held.came).not.toContain("A2");

  const developer = await signInAs(account(), "developer");
  const params = { subscriptionId: id };
  const list = (status: string, response?: string) =>
    listDeliveryViews(account().context(), {
      params,
      query: ListDeliveryViews.query.parse({ status, response }),
    });
  expect(await getWebhookSubscriptionView(account().context(), { params })).toMatchObject({
    ordering: "chat",
    on_exhausted: "stop",
    stopped_chats: 2,
  });
  const { deliveries } = await list("stopped");
  expect(deliveries).toMatchObject([
    {
      status: "stopped",
      waits_for: "person",
      stopped_at: expect.any(String),
      attempts: 1,
      next_attempt_at: null,
    },
    { status: "stopped", waits_for: "person" },
  ]);
  expect((await list("stopped", "400")).deliveries).toHaveLength(2);
  expect((await list("stopped", "500")).deliveries).toEqual([]);
  const logs = async (status: string) =>
    (await callApi(`GET /v1/webhook-logs?subscription_id=${id}&status=${status}`, { token: account().token }))
      .body.webhook_logs;
  expect(await logs("failed")).toMatchObject([{ status: "failed" }, { status: "failed" }]);
  expect(await logs("retrying")).toEqual([]);
  const { deliveries: waiting } = await list("waiting");
  expect(waiting.filter(({ waits_for }) => waits_for === "earlier_event")).toHaveLength(5);
  expect(waiting).toHaveLength(6);
  await expectStopped();
  // A tool shows what stopped the chats, not what waits behind it.
  expect(await failingOf(id)).toMatchObject([{ status: "stopped" }, { status: "stopped" }]);
  const notices = () =>
    prisma().accountNotice.findMany({
      where: { objectId: id, kind: "webhook_chats_stopped", dismissedAt: null },
    });
  expect(await notices()).toHaveLength(1);

  // The retry permanently fails, so the chat stays stopped.
  expect((await resume(id, { action: "retry", chat_id: chats.chatId("A") })).body).toEqual({ resumed: 1 });
  await held.answer("A1", 400);
  await until(async () => (await chats.statesOf(id))[0] === "A1 stopped");
  expect(held.came.filter((name) => name.startsWith("A"))).toEqual(["A1", "A1"]);
  expect(await attemptsInTrace("A1")).toMatchObject([
    { number: 1, delivery_status: "stopped", stopped_chat: false },
    { number: 2, delivery_status: "stopped", stopped_chat: true },
  ]);
  expect((await resume(id, { action: "retry", chat_id: chats.chatId("A") })).body).toEqual({ resumed: 1 });
  for (const name of ["A1", "A2", "A3", "A4"]) await held.answer(name);
  expect(await notices()).toHaveLength(1);

  const skipped = await developer.call(resumeRoute, { method: "POST", params, body: { action: "skip" } });
  expect(skipped.body).toEqual({ resumed: 1 });
  await held.answer("B2");
  await held.untilWaiting("B3");
  expect(await notices()).toEqual([]);
  expect((await chats.statesOf(id)).filter((state) => !state.endsWith("delivered"))).toEqual([
    "B1 failed",
    "B3 turn",
    "C1 turn",
  ]);
  expect((await resume(id, { action: "skip" })).body).toEqual({ resumed: 0 });
  const audited = await prisma().auditEntry.findMany({
    where: { objectId: id, action: "webhook_subscription.chats_resumed" },
    orderBy: { id: "asc" },
  });
  expect(audited.map(({ detail }) => detail)).toMatchObject([
    { action: "retry", chat_id: chats.chatId("A"), resumed: 1 },
    { action: "retry" },
    { action: "skip", resumed: 1 },
  ]);

  await change(id, { is_active: false });
  expect((await resume(id, { action: "retry" })).body.error.code).toBe(2015);
});

test("switched on with deliveries in flight, the order holds for later events; switched off, everything that waits is sent", async () => {
  const { id } = await subscribe(held.receiver.url);
  await chats.emit("AA");
  await held.untilWaiting("A1", "A2");
  await change(id, { ordering: "chat", on_exhausted: "stop" });
  await chats.emit("AAABB");
  await held.untilWaiting("A3", "B1");
  await held.answer("A1");
  await held.answer("B1", 400);
  await untilStates(
    id,
    "A1 delivered",
    "A2 turn",
    "A3 turn",
    "A4 waiting",
    "A5 waiting",
    "B1 stopped",
    "B2 waiting",
  );
  expect(held.waiting).toEqual(["A2", "A3"]);

  await change(id, { ordering: "none" });
  await held.untilWaiting("A2", "A3", "A4", "A5", "B1", "B2");
  await chats.emit("A");
  await held.untilWaiting("A6");
  for (const name of ["A2", "A3", "A4", "A5", "A6", "B2"]) await held.answer(name);
  await held.answer("B1", 400);
  await until(async () => (await chats.statesOf(id)).includes("B1 failed"));

  await change(id, { ordering: "chat" });
  await chats.emit("AA");
  await held.untilWaiting("A7");
  await held.answer("A7");
  await held.untilWaiting("A8");
});

test("a pause skips what waits in queues and in stopped chats, and the replay of it keeps the order of each chat", async () => {
  const id = await subscribeInOrder({ on_exhausted: "stop" });
  await chats.emit("AAABB");
  await held.answer("B1", 400);
  await untilStates(id, "A1 turn", "A2 waiting", "A3 waiting", "B1 stopped", "B2 waiting");
  await change(id, { is_active: false });
  await held.answer("A1");
  await untilStates(id, "A1 delivered", ..."A2 A3 B1 B2".split(" ").map((name) => `${name} skipped`));
  await chats.emit("A");
  await change(id, { is_active: true });

  const replays = startReplays();
  const body = { filter: { statuses: ["skipped"] }, per_second: 1000 };
  expect(
    (await callApi(`POST ${SUBSCRIPTIONS}/${id}/replays`, { token: account().token, body })).status,
  ).toBe(201);
  await held.untilWaiting("A2", "B1");
  // A live event of the chat waits behind those that the replay has released.
  await chats.emit("A");
  await held.answer("A2");
  await held.untilWaiting("A3");
  expect(held.waiting).toEqual(["A3", "B1"]);
  // A replayed delivery never stops its chat.
  await held.answer("B1", 400);
  await held.untilWaiting("B2");

  // A cancel deletes what was not sent, and the live event gets its turn after the one in flight.
  expect((await callApi(`DELETE ${SUBSCRIPTIONS}/${id}/replays`, { token: account().token })).status).toBe(
    200,
  );
  expect(held.waiting).toEqual(["A3", "B2"]);
  await held.answer("A3");
  await held.untilWaiting("A5");
  await held.answer("A5");
  await held.answer("B2");
  await until(async () => !(await chats.statesOf(id)).some((state) => /turn|waiting/.test(state)));
  await replays.stop();
});

test("a deleted subscription leaves nothing that waits", async () => {
  const id = await subscribeInOrder({ on_exhausted: "stop" });
  await chats.emit("AABB");
  await held.answer("B1", 400);
  await untilStates(id, "A1 turn", "A2 waiting", "B1 stopped", "B2 waiting");
  await callApi(`DELETE ${SUBSCRIPTIONS}/${id}`, { token: account().token });
  await held.answer("A1");
  await untilStates(id, "A1 delivered", "A2 skipped", "B1 skipped", "B2 skipped");
});
