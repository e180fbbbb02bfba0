import "@/lib/testing/use-test-database";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { setLineStatus } from "@/lib/lines/lines/set-line-status";
import { startDispatch } from "@/lib/messaging/dispatch/dispatch-messages";
import { sql } from "@/lib/platform/database/db";
import type { Queue } from "@/lib/platform/database/queue";
import { newRootTraceId, newTraceId } from "@/lib/platform/ids";
import { exportedSpans } from "@/lib/platform/telemetry/metrics";
import {
  isTracing,
  parentOfStep,
  recordSpan,
  rootSpanId,
  type Span,
  spanTime,
  traceRoot,
} from "@/lib/platform/telemetry/spans";
import { startSpanExport } from "@/lib/runtime/monitoring/export-spans";
import { toOtlp } from "@/lib/runtime/monitoring/to-otlp";
import { callApi } from "@/lib/testing/call-api";
import { runWebhookDelivery } from "@/lib/testing/events/run-webhook-delivery";
import { createDirectChat, createTestPhone, writeAs } from "@/lib/testing/factories";
import {
  attributesOf,
  type OtlpReceiver,
  startOtlpReceiver,
} from "@/lib/testing/servers/start-otlp-receiver";
import { until } from "@/lib/testing/until";

const CANARY = "canary-in-the-text";
const { account, receive, subscribe } = runWebhookDelivery();

let receiver: OtlpReceiver;
let dispatch: Queue;
let exporting: { stop(): Promise<void> } | null = null;

beforeAll(async () => {
  receiver = await startOtlpReceiver();
  dispatch = startDispatch();
});

afterAll(async () => {
  await dispatch.stop();
  await receiver.stop();
});

afterEach(async () => {
  await exporting?.stop();
  exporting = null;
  for (const name of Object.keys(process.env)) if (name.startsWith("OTEL_")) delete process.env[name];
});

function startExport(url = receiver.url): void {
  process.env.OTEL_EXPORTER_OTLP_ENDPOINT = url;
  exporting = startSpanExport();
}

function spanOf(traceId: string, more: Partial<Span> = {}): Span {
  const span: Span = {
    traceId,
    spanId: rootSpanId(traceId),
    parentSpanId: null,
    name: "test",
    kind: "server",
    start: 1_700_000_000_123,
    end: 1_700_000_001_500,
    attributes: {},
    isError: false,
  };
  return { ...span, ...more };
}

async function lineId(): Promise<string> {
  const [line] = await sql.runText<{ id: string }>({
    text: "select id from lines where account_id = $1",
    values: [account().ref.id],
  });
  return line?.id ?? "";
}

async function counted(result: string): Promise<number> {
  const { values } = await exportedSpans.get();
  return values.find(({ labels }) => labels.result === result)?.value ?? 0;
}

test("a send is one trace under the wire's trace ID: request, dispatch, transport and every webhook attempt", async () => {
  const phone = await createTestPhone(account());
  const chatId = await createDirectChat(account(), phone);
  const endpoint = await receive((response, count) => response.writeHead(count === 1 ? 503 : 200).end());
  await subscribe(`${endpoint.url}?key=secret-in-the-url`, { subscribed_events: ["message.sent"] });
  process.env.OTEL_EXPORTER_OTLP_HEADERS = "x-api-key=a%2Cb";
  startExport();

  const answer = await callApi(`POST /v3/chats/${chatId}/messages`, {
    token: account().token,
    body: { message: { parts: [{ type: "text", value: CANARY }] } },
  });
  expect(answer.status).toBe(202);
  const traceId = answer.headers.get("x-trace-id") ?? "";
  const ofTrace = () => receiver.spans().filter((span) => span.traceId === traceId);
  await until(() => ofTrace().length >= 5);

  const spans = ofTrace().sort((left, right) => (left.startTimeUnixNano < right.startTimeUnixNano ? -1 : 1));
  expect(spans.map(({ name }) => name)).toEqual([
    "POST /v3/chats/{chatId}/messages",
    "dispatch message",
    "transport send",
    "webhook attempt",
    "webhook attempt",
  ]);
  const [request, attempt, send, first, second] = spans;
  expect(request).toMatchObject({ kind: 2, spanId: traceId.slice(16), status: { code: 0 } });
  expect(request?.parentSpanId).toBeUndefined();
  expect(attempt).toMatchObject({ kind: 5, parentSpanId: request?.spanId });
  expect(send).toMatchObject({ kind: 3, parentSpanId: attempt?.spanId });
  expect(first).toMatchObject({ kind: 3, parentSpanId: request?.spanId, status: { code: 2 } });
  expect(second).toMatchObject({ parentSpanId: request?.spanId, status: { code: 0 } });
  expect(new Set(spans.map(({ spanId }) => spanId)).size).toBe(5);
  expect(parentsMissingIn(traceId)).toEqual([]);
  for (const { startTimeUnixNano, endTimeUnixNano } of spans) {
    expect(BigInt(endTimeUnixNano) - BigInt(startTimeUnixNano)).toBeGreaterThanOrEqual(0n);
  }
  expect(attributesOf(request ?? { attributes: [] })).toMatchObject({
    "http.response.status_code": 202,
    "trunkline.account.id": account().ref.id,
  });
  expect(attributesOf(attempt ?? { attributes: [] })).toMatchObject({
    "trunkline.message.id": answer.body.message.id,
    "trunkline.transport": "simulator",
    "trunkline.result": "sent",
  });
  expect(
    [first, second].map((span) => attributesOf(span ?? { attributes: [] })["http.response.status_code"]),
  ).toEqual([503, 200]);

  const everything = receiver.lines.join("");
  for (const secret of [CANARY, phone, account().line, account().token, "secret-in-the-url"]) {
    expect(everything).not.toContain(secret);
  }
  expect(JSON.parse(receiver.lines.at(-1) ?? "{}").headers["x-api-key"]).toBe("a,b");
});

function parentsMissingIn(traceId: string): (string | undefined)[] {
  const spans = receiver.spans().filter((span) => span.traceId === traceId);
  const ids = new Set(spans.map(({ spanId }) => spanId));
  return spans.map(({ parentSpanId }) => parentSpanId).filter((id) => id !== undefined && !ids.has(id));
}

test("a received message is one trace: its storing, and every webhook attempt", async () => {
  const phone = await createTestPhone(account());
  await createDirectChat(account(), phone);
  const endpoint = await receive((response, count) => response.writeHead(count === 1 ? 503 : 200).end());
  await subscribe(endpoint.url, { subscribed_events: ["message.received"] });
  startExport();

  await writeAs(account(), phone, { to: account().line, text: CANARY });
  const attempts = await until(() => {
    const found = receiver
      .spans()
      .filter(
        (span) =>
          span.name === "webhook attempt" &&
          attributesOf(span)["trunkline.event.type"] === "message.received",
      );
    return found.length >= 2 && found;
  });
  const { traceId = "" } = attempts[0] ?? {};
  const ofTrace = () => receiver.spans().filter((span) => span.traceId === traceId);
  await until(() => ofTrace().length >= 3);
  const [root, first, second] = ofTrace().sort((left, right) =>
    left.startTimeUnixNano < right.startTimeUnixNano ? -1 : 1,
  );
  expect(root).toMatchObject({
    name: "receive message",
    kind: 5,
    spanId: traceId.slice(16),
    status: { code: 0 },
  });
  expect(root?.parentSpanId).toBeUndefined();
  expect(attributesOf(root ?? { attributes: [] })).toMatchObject({
    "trunkline.account.id": account().ref.id,
  });
  expect([first, second].map((span) => span?.parentSpanId)).toEqual([root?.spanId, root?.spanId]);
  expect(ofTrace()).toHaveLength(3);
  expect(parentsMissingIn(traceId)).toEqual([]);
  for (const secret of [CANARY, phone, account().line]) {
    expect(receiver.lines.join("")).not.toContain(secret);
  }
});

test("steps of a trace that no request began, such as a job's, name no parent", async () => {
  const endpoint = await receive();
  await subscribe(endpoint.url, { subscribed_events: ["phone_number.status_updated"] });
  startExport();
  await setLineStatus(account().context(), await lineId(), "FLAGGED");
  const attempt = await until(() =>
    receiver
      .spans()
      .find((span) => attributesOf(span)["trunkline.event.type"] === "phone_number.status_updated"),
  );
  expect(attempt.parentSpanId).toBeUndefined();
  await setLineStatus(account().context(), await lineId(), "ACTIVE");
});

test("the storing of a report that fails is the root span of a trace, too", async () => {
  startExport();
  const failing = traceRoot("receive vote", {}, () => Promise.reject(new Error("gone")));
  await expect(failing).rejects.toThrow("gone");
  const span = await until(() => receiver.spans().find(({ name }) => name === "receive vote"));
  expect(span).toMatchObject({ status: { code: 2 } });
});

test("trace IDs say whether their trace has a root span", () => {
  for (let count = 0; count < 100; count++) {
    const [root, none] = [newRootTraceId(), newTraceId()];
    expect(`${root} ${none}`).toMatch(/^[0-9a-f]{32} [0-9a-f]{32}$/);
    expect(parentOfStep(root)).toBe(rootSpanId(root));
    expect(parentOfStep(none)).toBeNull();
  }
});

test("a path parameter that is a phone number is not exported", async () => {
  startExport();
  await callApi(`PUT /simulator/lines/${encodeURIComponent(account().line)}`, {
    token: account().token,
    body: { status: "ACTIVE" },
  });
  await until(() => receiver.spans().find(({ name }) => name === "PUT /simulator/lines/{phoneNumber}"));
  expect(receiver.lines.join("")).not.toContain(account().line.slice(1));
});

test("the JSON is that of OpenTelemetry's own exporter for the same span", () => {
  process.env.OTEL_SERVICE_NAME = "orders";
  const traceId = "019a0000000000112233445566778899";
  const exported = JSON.parse(
    toOtlp([
      spanOf(traceId, {
        parentSpanId: "aabbccddeeff0011",
        name: "send",
        attributes: { "http.route": "/v3/chats/{chatId}", n: 3, f: 1.5, ok: true, absent: null },
        isError: true,
      }),
    ]),
  );
  // The output of @opentelemetry/exporter-trace-otlp-http 0.208.0.
  const official = {
    traceId,
    spanId: "2233445566778899",
    parentSpanId: "aabbccddeeff0011",
    name: "send",
    kind: 2,
    startTimeUnixNano: "1700000000123000000",
    endTimeUnixNano: "1700000001500000000",
    attributes: [
      { key: "http.route", value: { stringValue: "/v3/chats/{chatId}" } },
      { key: "n", value: { intValue: 3 } },
      { key: "f", value: { doubleValue: 1.5 } },
      { key: "ok", value: { boolValue: true } },
    ],
    droppedAttributesCount: 0,
    events: [],
    droppedEventsCount: 0,
    status: { code: 2 },
    links: [],
    droppedLinksCount: 0,
    flags: 769,
  };
  expect(exported.resourceSpans[0].scopeSpans[0].spans).toEqual([official]);
  expect(exported.resourceSpans[0].resource.attributes).toContainEqual({
    key: "service.name",
    value: { stringValue: "orders" },
  });
});

describe("tracing", () => {
  test("that is off records nothing", () => {
    expect(isTracing()).toBe(false);
    recordSpan(spanOf(newTraceId()));
  });

  test("to an endpoint that is down fails no send, keeps a bounded number of spans, and ends", async () => {
    const phone = await createTestPhone(account());
    const chatId = await createDirectChat(account(), phone);
    const dropped = await counted("dropped");
    startExport("http://127.0.0.1:1");
    for (let count = 0; count < 5000; count++) recordSpan(spanOf(newTraceId()));
    expect(await counted("dropped")).toBe(dropped + 5000 - 4096);

    const answer = await callApi(`POST /v3/chats/${chatId}/messages`, {
      token: account().token,
      body: { message: { parts: [{ type: "text", value: "hello" }] } },
    });
    expect(answer.status).toBe(202);
    await exporting?.stop();
    exporting = null;
    expect(isTracing()).toBe(false);
  });

  test("after an outage exports the spans that waited, each once", async () => {
    const traces = Array.from({ length: 700 }, newTraceId);
    startExport("http://127.0.0.1:1");
    for (const traceId of traces) recordSpan(spanOf(traceId));
    process.env.OTEL_EXPORTER_OTLP_ENDPOINT = receiver.url;
    await exporting?.stop();
    exporting = null;

    const received = () => receiver.spans().filter(({ traceId }) => traces.includes(traceId));
    await until(() => received().length >= 700);
    expect(new Set(received().map(({ traceId }) => traceId)).size).toBe(700);
    expect(received()).toHaveLength(700);
  });

  test("of a share of the traces keeps whole traces", async () => {
    process.env.OTEL_TRACES_SAMPLER_ARG = "0.5";
    const traces = Array.from({ length: 400 }, newTraceId);
    startExport();
    for (const traceId of traces) {
      recordSpan(spanOf(traceId, { name: "sampled" }));
      recordSpan(spanOf(traceId, { name: "sampled", spanId: "00000000000000aa", start: spanTime() }));
    }
    await exporting?.stop();
    exporting = null;
    const sampled = () => receiver.spans().filter(({ name }) => name === "sampled");
    await until(() => sampled().length > 0);
    const kept = new Map<string, number>();
    for (const { traceId } of sampled()) kept.set(traceId, (kept.get(traceId) ?? 0) + 1);

    expect([...kept.values()].every((count) => count === 2)).toBe(true);
    expect(kept.size).toBeGreaterThan(120);
    expect(kept.size).toBeLessThan(280);
  });
});
