import http from "node:http";
import https from "node:https";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import tls from "node:tls";
import type { Agent } from "undici";
import { afterAll, beforeAll, expect, test } from "vitest";
import { postGuarded } from "@/lib/platform/guarded-fetch/post-guarded";
import type { RequestTiming } from "@/lib/platform/guarded-fetch/request-timing";
import { guardedAgent } from "@/lib/platform/guarded-fetch/safe-fetch";
import { parseAllowList } from "@/lib/platform/guarded-fetch/target-rules";
import { TEST_CERTIFICATE } from "@/lib/testing/servers/test-certificate";

const THINKING_MS = 60;
const RESOLVING_MS = 40;
/** A connection can be reused only after the end of its response was reported. */
const TO_REST_MS = 200;
/** Long enough to connect on a busy machine. */
const NO_ANSWER_MS = 1500;

const plain = http.createServer(answer);
const secure = https.createServer(TEST_CERTIFICATE, answer);
const agents: Agent[] = [];
const trusted = tls.getCACertificates("default");

beforeAll(async () => {
  tls.setDefaultCACertificates([...trusted, TEST_CERTIFICATE.cert]);
  await Promise.all(
    [plain, secure].map(
      (server) => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve())),
    ),
  );
});

afterAll(async () => {
  tls.setDefaultCACertificates(trusted);
  await Promise.all(agents.map((agent) => agent.destroy()));
  for (const server of [plain, secure]) server.closeAllConnections();
  for (const server of [plain, secure]) server.close();
});

async function answer(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
  if (request.url === "/silent") return;
  await sleep(THINKING_MS);
  response.end("ok");
}

function newAgent(): Agent {
  const agent = guardedAgent({
    allow: parseAllowList(["127.0.0.1"]),
    connectionsPerOrigin: 8,
    connectTimeoutMs: 10_000,
    async resolve() {
      await sleep(RESOLVING_MS);
      return [{ address: "127.0.0.1", family: 4 }];
    },
  });
  agents.push(agent);
  return agent;
}

function urlOf(server: http.Server | https.Server, host: string): URL {
  const scheme = server === secure ? "https" : "http";
  return new URL(`${scheme}://${host}:${(server.address() as AddressInfo).port}/`);
}

async function timingOf(agent: Agent, target: URL, timeoutMs = 10_000): Promise<RequestTiming> {
  let timing: RequestTiming | undefined;
  const onTiming = (emitted: RequestTiming) => {
    timing = emitted;
  };
  const request = { headers: {}, body: "{}", timeoutMs, keepBytes: 100, onTiming };
  await postGuarded(agent, target, request).catch(() => undefined);
  if (timing === undefined) throw new Error("the timing was not reported");
  return timing;
}

test("a first https request tells resolving, connecting, TLS and waiting apart; a second one only waits", async () => {
  const agent = newAgent();
  const target = urlOf(secure, "hooks.example.com");
  const first = await timingOf(agent, target);
  expect(first.dnsMs).toBeGreaterThan(RESOLVING_MS - 5);
  expect(first.connectMs).toBeGreaterThan(0);
  expect(first.tlsMs).toBeGreaterThan(0);
  expect(first.firstByteMs).toBeGreaterThan(THINKING_MS - 5);

  await sleep(TO_REST_MS);
  const second = await timingOf(agent, target);
  expect(second).toEqual({ dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: expect.any(Number) });
});

test("plain http has no TLS, an address nothing to resolve", async () => {
  const timing = await timingOf(newAgent(), urlOf(plain, "127.0.0.1"));
  expect(timing).toMatchObject({ dnsMs: 0, connectMs: expect.any(Number), tlsMs: null });
  expect(timing.firstByteMs).toBeGreaterThan(THINKING_MS - 5);
});

test("a request that gets no answer tells how far it came", async () => {
  const silent = new URL("/silent", urlOf(secure, "hooks.example.com"));
  const timing = await timingOf(newAgent(), silent, NO_ANSWER_MS);
  expect(timing).toEqual({
    dnsMs: expect.any(Number),
    connectMs: expect.any(Number),
    tlsMs: expect.any(Number),
    firstByteMs: null,
  });
});

test("concurrent requests each get their own timing", async () => {
  const agent = newAgent();
  const target = urlOf(secure, "hooks.example.com");
  await timingOf(agent, target);
  await sleep(TO_REST_MS);
  const timings = await Promise.all(Array.from({ length: 4 }, () => timingOf(agent, target)));
  expect(timings.filter(({ tlsMs }) => tlsMs === null)).toHaveLength(1);
  for (const { firstByteMs } of timings) expect(firstByteMs).toBeGreaterThan(THINKING_MS - 5);
});
