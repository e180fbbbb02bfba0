import { expect, test } from "vitest";
import { describeStep } from "@/components/traces/describe-step";
import { formatElapsed } from "@/components/traces/format-elapsed";
import type { TraceStep } from "@/lib/runtime/dashboard/get-trace";

const at = "2026-03-01T12:00:00.000Z";
const id = "019ca9c2-4c02-7c53-ad22-4d8e3f607182";
const webhook = (more: object) =>
  ({
    type: "webhook",
    at,
    event_type: "message.sent",
    subscription_id: "s",
    delivery_id: "d",
    target_url: "https://example.com/hook",
    number: 1,
    status_code: 200,
    error: null,
    latency_ms: 12,
    delivery_status: "delivered",
    stopped_chat: false,
    ...more,
  }) as TraceStep;

test.each<[TraceStep, string, boolean]>([
  [
    { type: "request", at, request_id: id, method: "POST", path: "/v3/chats", status: 409, latency_ms: 3.14 },
    "POST /v3/chats",
    true,
  ],
  [
    { type: "event", at, event_id: id, event_type: "message.delivered", internal: false, message_id: id },
    "Delivered",
    false,
  ],
  [
    { type: "event", at, event_id: id, event_type: "poll.failed", internal: false, message_id: id },
    "Poll failed",
    true,
  ],
  [{ type: "transport", at, attempts: 2, service: "SMS", failure: null }, "Passed to the transport", false],
  [
    { type: "transport", at, attempts: 1, service: null, failure: { code: 4001, reason: null } },
    "Refused by the transport",
    true,
  ],
  [webhook({}), "Webhook message.sent, attempt 1: 200", false],
  [webhook({ number: 3, status_code: 503 }), "Webhook message.sent, attempt 3: 503", true],
  [webhook({ status_code: null, error: "timeout" }), "Webhook message.sent, attempt 1: timeout", true],
  [
    webhook({ number: null, status_code: null, delivery_status: "waiting" }),
    "Webhook message.sent waits",
    false,
  ],
  [
    webhook({ number: null, status_code: null, delivery_status: "stopped" }),
    "Webhook message.sent stopped",
    true,
  ],
])("%o is named, and marked when it failed", (step, title, isFailure) => {
  expect(describeStep(step)).toMatchObject({ title, isFailure });
});

test("only the attempt that stopped the chat says so", () => {
  const failed = { status_code: 500, delivery_status: "stopped" };
  const steps = [webhook({ ...failed, number: 1 }), webhook({ ...failed, number: 2, stopped_chat: true })];
  expect(steps.map((step) => describeStep(step).detail)).toEqual([
    "https://example.com/hook in 12 ms",
    "https://example.com/hook in 12 ms, stopped its chat",
  ]);
});

test("steps with a record link to it; internal events have none", () => {
  expect(describeStep(webhook({})).href).toBe("/webhooks/s/deliveries/d");
  const event = { type: "event" as const, at, event_id: id, event_type: "message.accepted", message_id: id };
  expect(describeStep({ ...event, internal: true }).href).toBeNull();
  expect(describeStep({ ...event, internal: false }).href).toBe(`/events?q=${id}`);
});

test.each([
  [340, "340 ms"],
  [999.6, "1000 ms"],
  [2199, "2.1 s"],
  [59_999, "59.9 s"],
  [243_000, "4 min 3 s"],
  [7_500_000, "2 hr 5 min"],
])("%d ms is %s", (elapsed, text) => {
  expect(formatElapsed(elapsed)).toBe(text);
});
