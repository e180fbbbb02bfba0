import "@/lib/testing/use-test-database";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { findFreePort } from "@/lib/platform/postgres/find-free-port";
import { registry } from "@/lib/platform/telemetry/metrics";
import { listenForMetrics } from "@/lib/runtime/monitoring/metrics";
import { observeResponses } from "@/lib/runtime/monitoring/observe-responses";
import { startWorker, type Worker } from "@/lib/runtime/worker/start-worker";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { createTestPhone, writeAs } from "@/lib/testing/factories";
import { hasTool } from "@/lib/testing/find-tool";
import { type Receiver, startReceiver } from "@/lib/testing/servers/start-receiver";

let url: string;
let account: TestAccount;
let worker: Worker;
let receiver: Receiver;
const stops: (() => Promise<void>)[] = [];

beforeAll(async () => {
  process.env.WEBHOOK_SANDBOX_LOOPBACK = "1";
  process.env.BASE_URL = "http://localhost:3000";
  const port = await findFreePort();
  url = `http://127.0.0.1:${port}/metrics`;
  stops.push(await listenForMetrics("127.0.0.1", port), observeResponses());
  account = await createTestAccount({ type: "sandbox" });
  worker = await startWorker();
  receiver = await startReceiver();
});

afterEach(() => {
  delete process.env.METRICS_TOKEN;
});

afterAll(async () => {
  await receiver.close();
  await worker.stop();
  for (const stop of stops) await stop();
});

const scrape = async (headers: Record<string, string> = {}, method = "GET") => {
  const response = await fetch(url, { headers, method });
  return { status: response.status, text: await response.text() };
};

async function readValue(series: string): Promise<number> {
  const { text } = await scrape();
  const line = text.split("\n").find((each) => each.startsWith(`${series} `));
  return Number(line?.slice(series.length + 1) ?? 0);
}

test("a message, its webhook and its requests are counted, with the time that they waited", async () => {
  const before = {
    accepted: await readValue("trunkline_messages_accepted_total"),
    dispatched: await readValue("trunkline_dispatch_lag_seconds_count"),
    sent: await readValue('trunkline_send_attempts_total{transport="simulator",result="sent"}'),
    delivered: await readValue('trunkline_webhook_attempts_total{outcome="success"}'),
    posted: await readValue('trunkline_http_responses_total{method="POST",status="2xx"}'),
  };
  const body = { target_url: receiver.url, subscribed_events: ["message.sent"] };
  await callApi("POST /v3/webhook-subscriptions", { token: account.token, body });
  const phone = await createTestPhone(account);
  await writeAs(account, phone, { to: account.line, text: "hello" });
  await account.sendFirst(phone);

  await expect
    .poll(() => readValue('trunkline_webhook_attempts_total{outcome="success"}'))
    .toBe(before.delivered + 1);
  expect(await readValue("trunkline_messages_accepted_total")).toBe(before.accepted + 1);
  expect(await readValue("trunkline_dispatch_lag_seconds_count")).toBe(before.dispatched + 1);
  expect(await readValue('trunkline_send_attempts_total{transport="simulator",result="sent"}')).toBe(
    before.sent + 1,
  );
  expect(await readValue('trunkline_http_responses_total{method="POST",status="2xx"}')).toBeGreaterThan(
    before.posted,
  );
});

test("queues, pools, the event loop and the database are gauges, and no text names content or an account", async () => {
  const { status, text } = await scrape();
  expect(status).toBe(200);
  for (const queue of ["messages", "webhooks", "actions", "mails"]) {
    expect(text).toContain(`trunkline_queue_depth{queue="${queue}"} `);
    expect(text).toContain(`trunkline_queue_oldest_seconds{queue="${queue}"} `);
  }
  expect(text).toContain("trunkline_database_up 1");
  expect(text).toMatch(/trunkline_database_connections\{pool="hot",state="idle"\} \d/);
  expect(text).toContain("nodejs_eventloop_lag_p99_seconds ");
  expect(text).not.toContain(account.ref.id);
  expect(text).not.toContain(account.line);
});

test("a scrape from a proxy or another machine needs the token, and a wrong one is refused", async () => {
  expect((await scrape({ "x-forwarded-for": "203.0.113.5" })).status).toBe(403);
  process.env.BASE_URL = "https://trunkline.example.com";
  expect((await scrape()).status).toBe(403);
  process.env.BASE_URL = "http://localhost:3000";
  process.env.METRICS_TOKEN = "a-token-of-metrics";
  expect((await scrape()).status).toBe(401);
  expect((await scrape({ authorization: "Bearer a-token-of-metricz" })).status).toBe(401);
  const proxied = { authorization: "Bearer a-token-of-metrics", "x-forwarded-for": "203.0.113.5" };
  expect((await scrape(proxied)).status).toBe(200);
  expect((await scrape({}, "POST")).status).toBe(405);
});

test("every metric of an alert exists", async () => {
  const names = new Set(readFileSync("ops/alerts.yml", "utf8").match(/\b(trunkline|nodejs)_[a-z0-9_]+/g));
  const known = (await registry.getMetricsAsJSON()).map(({ name }) => name);
  const unknown = [...names].filter((name) => !known.includes(name.replace(/_bucket$/, "")));
  expect(names.size).toBeGreaterThan(7);
  expect(unknown).toEqual([]);
});

test.skipIf(!hasTool("promtool"))(
  "the alert rules are valid and fire when they should (needs promtool)",
  () => {
    execFileSync("promtool", ["check", "rules", "ops/alerts.yml"]);
    execFileSync("promtool", ["test", "rules", "ops/alerts.test.yml"]);
  },
);
