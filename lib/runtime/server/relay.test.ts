import { until } from "@/lib/testing/until";
import "@/lib/testing/use-test-database";

import { once } from "node:events";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { WebSocket } from "ws";
import { baseUrl, env } from "@/lib/platform/env";
import { beginDrain } from "@/lib/platform/instances/drain";
import { connectToInstances } from "@/lib/platform/instances/notify";
import { type RelayOptions, relaySockets } from "@/lib/runtime/server/relay-sockets";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { deliveryOf, runWebhookDelivery } from "@/lib/testing/events/run-webhook-delivery";
import { bundleWorker } from "@/lib/testing/processes/start-worker-process";
import { serveApi } from "@/lib/testing/serve-api";
import { signWebhook } from "@/lib/webhooks/signing/sign-webhook";

process.env.STREAMS_PER_ACCOUNT = "2";
const delivery = runWebhookDelivery();
const open: { close(): unknown }[] = [];
let leave: () => Promise<void>;

beforeAll(async () => {
  leave = await connectToInstances();
});

afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});

afterAll(() => leave());

async function serve(options: RelayOptions = {}) {
  const api = await serveApi({ webSockets: [relaySockets(options)] });
  open.push(api);
  return api;
}

/** Connects a program to the relay and collects everything it receives. */
async function connect(port: number, token: string, more: { autoPong?: boolean } = {}) {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/relay?token=${token}`, more);
  open.unshift({ close: () => socket.terminate() });
  const received: string[] = [];
  socket.on("message", (data) => received.push(String(data)));
  const closed = once(socket, "close").then(([code, reason]) => ({ code, reason: String(reason) }));
  await once(socket, "open");
  return { socket, received, closed };
}

async function listen(port: number, token: string) {
  const program = await connect(port, token);
  program.socket.send(JSON.stringify({ action: "init" }));
  let isClosed = false;
  void program.closed.then(() => {
    isClosed = true;
  });
  await until(() => program.received.length > 0 || isClosed);
  if (isClosed) throw new Error("the connection was rejected");
  const { connectionId } = JSON.parse(program.received.shift() ?? "");
  return { ...program, connectionId: connectionId as string };
}

/** Posts a webhook to a relay connection, signed like Trunkline's own. */
async function post(
  port: number,
  connectionId: string,
  { id, signing_secret }: { id: string; signing_secret: string },
  change: { body?: string; sentAt?: Date } = {},
) {
  const body = JSON.stringify({ event_type: "message.sent", text: "ünïcode ".repeat(4000) });
  const headers = signWebhook(
    { legacy: signing_secret, all: [signing_secret] },
    {
      subscriptionId: id,
      eventId: "e1",
      eventType: "message.sent",
      body,
      sentAt: change.sentAt ?? new Date(),
    },
  );
  const response = await fetch(`http://127.0.0.1:${port}/relay/${connectionId}`, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: change.body ?? body,
  });
  return { status: response.status, answer: await response.json(), body };
}

async function subscribeAs(account: TestAccount, path: string) {
  const { body } = await callApi("POST /v3/webhook-subscriptions", {
    token: account.token,
    body: { target_url: `${baseUrl()}/relay/${path}`, subscribed_events: ["message.sent"] },
  });
  return body as { id: string; signing_secret: string };
}

test("a connection receives its id, and every signed webhook that is posted to it, unchanged", async () => {
  const { port } = await serve();
  const program = await listen(port, delivery.account().token);
  const { status, body } = await post(
    port,
    program.connectionId,
    await delivery.subscribe("https://a.example"),
  );
  expect(status).toBe(200);
  expect(program.received).toEqual([body]);
});

test("a bad or missing token is closed with 4001, a message that is no init with 1008", async () => {
  const { port } = await serve();
  for (const token of ["", "tl_sandbox_wrong", `${delivery.account().token}x`]) {
    expect(await (await connect(port, token)).closed).toMatchObject({ code: 4001 });
  }
  const odd = await connect(port, delivery.account().token);
  odd.socket.send("hello");
  expect(await odd.closed).toMatchObject({ code: 1008 });
});

test("a webhook that no subscription of the account signed is refused and not relayed", async () => {
  const { port } = await serve();
  const program = await listen(port, delivery.account().token);
  const subscription = await delivery.subscribe("https://b.example");
  const { connectionId } = program;

  const altered = await post(port, connectionId, subscription, { body: "{}" });
  const old = await post(port, connectionId, subscription, { sentAt: new Date(Date.now() - 301_000) });
  const forged = await post(port, connectionId, { ...subscription, signing_secret: "whsec_AAAA" });
  const unsigned = await fetch(`http://127.0.0.1:${port}/relay/${connectionId}`, {
    method: "POST",
    body: "{}",
  });
  expect([altered.status, old.status, forged.status, unsigned.status]).toEqual([401, 401, 401, 401]);
  expect(altered.answer).toMatchObject({ error: { code: 2004 } });

  const stranger = await createTestAccount({ type: "sandbox" });
  const theirs = await subscribeAs(stranger, crypto.randomUUID());
  const [foreign, unknown] = await Promise.all([
    post(port, connectionId, theirs),
    post(port, crypto.randomUUID(), subscription),
  ]);
  expect([foreign.status, foreign.answer.error.code]).toEqual([503, 4004]);
  expect(unknown.answer.error).toEqual(foreign.answer.error);
  expect((await post(port, "no-id", subscription)).status).toBe(404);
  expect(program.received).toEqual([]);
});

test("another process delivers to the connection of this one; a webhook that no connection takes is retried", async () => {
  await delivery.stopDelivery();
  const worker = await bundleWorker({ answerMs: 5000, leaseMs: 10_000, joins: true });
  open.push({ close: () => worker.end() });
  const { port } = await serve();
  const program = await listen(port, delivery.account().token);
  const away = await delivery.subscribe(`${baseUrl()}/relay/${crypto.randomUUID()}`);
  const received = await delivery.subscribe(`${baseUrl()}/relay/${program.connectionId}?version=2025-01-01`);
  await worker.start();
  await delivery.emit("message.sent");

  await expect.poll(() => program.received).toHaveLength(1);
  expect(JSON.parse(program.received[0] ?? "")).toMatchObject({
    event_type: "message.sent",
    webhook_version: "2025-01-01",
  });
  const { status, tries } = await deliveryOf(received.id);
  expect([status, tries.map((tried) => tried.statusCode)]).toEqual(["delivered", [200]]);
  const waiting = await deliveryOf(away.id, ({ tries: made }) => made.length > 0);
  expect([waiting.status, waiting.tries[0]?.statusCode]).toEqual(["waiting", 503]);
  delivery.startDelivery();
}, 60_000);

test("only the relay of this service is a target, in production accounts too", async () => {
  const account = await createTestAccount({ type: "production" });
  const targets = [
    `${baseUrl()}/relay/${crypto.randomUUID()}`,
    `${baseUrl()}/v3/chats`,
    `${baseUrl()}/relay/x`,
  ];
  const statuses = [];
  for (const target_url of targets) {
    const { status } = await callApi("POST /v3/webhook-subscriptions", {
      token: account.token,
      body: { target_url, subscribed_events: ["message.sent"] },
    });
    statuses.push(status);
  }
  expect(statuses).toEqual([201, 400, 400]);
});

test("an account has as many connections as streams, and a closed one makes room", async () => {
  const { port } = await serve();
  const { token } = await createTestAccount({ type: "sandbox" });
  const programs = [];
  expect(env().STREAMS_PER_ACCOUNT).toBe(2);
  while (programs.length < 2) programs.push(await listen(port, token));
  expect(await (await connect(port, token)).closed).toMatchObject({ code: 1013 });

  programs[0]?.socket.close();
  await vi.waitFor(() => listen(port, token), 45_000);
});

test("a connection ends when its token is revoked, it sends too much, no init, or answers no ping", async () => {
  const { port } = await serve();
  const revoked = await createTestAccount({ type: "sandbox" });
  const one = await listen(port, revoked.token);
  await revoked.revokeToken();

  const { token } = await createTestAccount({ type: "sandbox" });
  const much = await connect(port, token);
  much.socket.send("x".repeat(5000));
  expect(await much.closed).toMatchObject({ code: 1009 });
  const { port: pinging } = await serve({ pingMs: 50 });
  expect(await (await connect(pinging, token, { autoPong: false })).closed).toMatchObject({ code: 1006 });
  const { port: hasty } = await serve({ initMs: 20 });
  expect(await (await connect(hasty, token)).closed).toMatchObject({ code: 1008 });
  expect(await one.closed).toMatchObject({ code: 4001 });
});

// Runs last: draining cannot be undone.
test("connections of a process that stops are closed, and new ones turned away", async () => {
  const { port } = await serve();
  const program = await listen(port, delivery.account().token);
  beginDrain();
  expect(await program.closed).toMatchObject({ code: 1001 });
  expect(await (await connect(port, delivery.account().token)).closed).toMatchObject({ code: 1001 });
});
