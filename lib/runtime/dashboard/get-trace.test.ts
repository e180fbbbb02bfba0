import "@/lib/testing/use-test-database";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import * as TRACE from "@/app/api/traces/[traceId]/route";
import { allTransports } from "@/lib/adapters/transports/registry";
import { startDispatch } from "@/lib/messaging/dispatch/dispatch-messages";
import { newTraceId } from "@/lib/platform/ids";
import type { TraceStep } from "@/lib/runtime/dashboard/get-trace";
import { inboundSink } from "@/lib/runtime/wiring/inbound-sink";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount } from "@/lib/testing/create-test-account";
import { countStatements } from "@/lib/testing/database/count-statements";
import { deliveryOf, runWebhookDelivery } from "@/lib/testing/events/run-webhook-delivery";
import { acceptTestMessage, createDirectChat, createTestPhone, untilStatus } from "@/lib/testing/factories";
import { logTestRequests } from "@/lib/testing/log-test-requests";
import { type DashboardUser, signInAs } from "@/lib/testing/sign-in/sign-in-as";

const { account, receive, subscribe } = runWebhookDelivery();
const running: { stop(): Promise<void> }[] = [];
let viewer: DashboardUser;
let chatId: string;

beforeAll(async () => {
  for (const transport of allTransports()) if (transport.start) running.push(transport.start(inboundSink));
  running.push(startDispatch(5000));
});

afterAll(async () => {
  await Promise.all(running.map((part) => part.stop()));
});

beforeEach(async () => {
  viewer = await signInAs(account(), "viewer");
  chatId = await createDirectChat(account(), await createTestPhone(account()));
});

const read = (traceId: string, by = viewer) => by.call(TRACE.GET, { params: { traceId } });
const namesOf = (steps: TraceStep[]) =>
  steps.map((step) => (step.type === "event" ? step.event_type : step.type));

test("a message opens to its request, acceptance, transport, receipts and each webhook attempt, in order", async () => {
  const receiver = await receive((response, count) => {
    response.statusCode = count === 1 ? 503 : 200;
    response.end();
  });
  const { id: subscriptionId } = await subscribe(receiver.url, { subscribed_events: ["message.sent"] });
  const { body, headers } = await callApi(`POST /v3/chats/${chatId}/messages`, {
    token: account().token,
    body: { message: { parts: [{ type: "text", value: "hello" }] } },
  });
  const messageId: string = body.message.id;
  await untilStatus(account(), messageId, "delivered");
  await deliveryOf(subscriptionId);
  const [requestId] = await logTestRequests(account(), 1, () => ({
    traceId: headers.get("x-trace-id") ?? "",
    method: "POST",
    path: `/v3/chats/${chatId}/messages`,
    status: 202,
  }));

  const trace = (await read(messageId)).body;
  expect(trace.message).toMatchObject({ id: messageId, chat_id: chatId, is_from_me: true, due_at: null });
  const names = namesOf(trace.steps);
  for (const step of ["request", "message.accepted", "transport", "message.sent", "message.delivered"]) {
    expect(names.filter((name) => name === step)).toHaveLength(1);
  }
  expect(names.indexOf("message.accepted")).toBeLessThan(names.indexOf("message.sent"));
  expect(names.indexOf("transport")).toBeLessThan(names.indexOf("message.sent"));
  expect(trace.steps).toContainEqual(
    expect.objectContaining({ type: "request", request_id: requestId, status: 202 }),
  );
  const attempts = trace.steps.filter(({ type }: TraceStep) => type === "webhook");
  expect(attempts).toMatchObject([
    { number: 1, status_code: 503, event_type: "message.sent", subscription_id: subscriptionId },
    { number: 2, status_code: 200, target_url: receiver.url, delivery_status: "delivered" },
  ]);
  const times = trace.steps.map(({ at }: TraceStep) => at);
  expect(times).toEqual(times.toSorted());

  expect((await read(trace.trace_id)).body).toEqual(trace);
});

test("a failed request opens by its trace id; an unknown id and those of other accounts are not found", async () => {
  const traceId = newTraceId();
  await logTestRequests(account(), 1, () => ({ traceId, status: 409, errorCode: 2015 }));
  expect((await read(traceId)).body).toMatchObject({
    trace_id: traceId,
    message: null,
    steps: [{ type: "request", status: 409 }],
    is_truncated: false,
  });
  expect((await read(newTraceId())).status).toBe(404);
  const stranger = await signInAs(await createTestAccount({ type: "sandbox" }), "admin");
  const messageId = await acceptTestMessage(account(), chatId);
  for (const id of [traceId, messageId]) expect((await read(id, stranger)).status).toBe(404);
  expect((await read("not-an-id")).status).toBe(400);
});

test("a trace takes the same number of statements for any number of steps, and shows at most 20 requests", async () => {
  const messageId = await acceptTestMessage(account(), chatId);
  await untilStatus(account(), messageId, "delivered");
  const { trace_id: traceId } = (await read(messageId)).body;
  // The queues of this file send statements too, which only ever add to a count.
  const leastStatements = async () => {
    const counts: number[] = [];
    for (let reads = 0; reads < 3; reads++) counts.push(await countStatements(() => read(messageId)));
    return Math.min(...counts);
  };
  const before = await leastStatements();
  await logTestRequests(account(), 30, () => ({ traceId }));
  const many = (await read(messageId)).body;
  expect(namesOf(many.steps).filter((name) => name === "request")).toHaveLength(20);
  expect(many.is_truncated).toBe(true);
  expect(await leastStatements()).toBe(before);
});
