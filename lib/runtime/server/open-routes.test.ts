import "@/lib/testing/use-test-database";
import { connect } from "node:net";
import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { privateRoutes } from "@/.generated/private-route-table";
import { routes } from "@/.generated/route-table";
import { HASH_CONCURRENCY } from "@/lib/identity/sign-in/attempt-slots";
import { signIn } from "@/lib/identity/sign-in/sign-in";
import { poolSizes, sql, transaction } from "@/lib/platform/database/db";
import { SIGN_IN_LIMIT_BYTES } from "@/lib/runtime/server/pages/check-sign-in-request";
import { guardPages } from "@/lib/runtime/server/pages/guard-pages";
import { untilLocked } from "@/lib/testing/database/until-locked";
import { serveApi } from "@/lib/testing/serve-api";
import { until } from "@/lib/testing/until";

const KB = 1024;

/** The largest body of every route that takes one and needs no token and no session. */
const LIMITS: Readonly<Record<string, number>> = {
  "/api/backchannel-logout": 16 * KB,
  "/api/password-reset": 4 * KB,
  "/api/welcome": 4 * KB,
  // The signed URL names its account. The body is written to the disk as it arrives.
  "/uploads/:accountId/:attachmentId": 100 * KB * KB,
  // The line is looked up before the body is read.
  "/inbound/lines/:lineId": KB * KB,
  "/inbound/stripe": 256 * KB,
  "/inbound/stripe/issuing": 256 * KB,
  "/pay/:slug/attempt": 4 * KB,
  "/pay/:slug/open": 4 * KB,
  "/pay/:slug/step": 4 * KB,
  // The subscription and its connection are looked up before the body is read.
  "/relay/:connectionId": KB * KB,
  "/vault/charges": 4 * KB,
  "/wallet/approve/:link": 16 * KB,
  "/wallet/approve/:link/options": 4 * KB,
  "/wallet/attach/:link": 4 * KB,
  "/wallet/attach/:link/passkey": 16 * KB,
  "/wallet/attach/:link/passkey/code": 4 * KB,
  "/wallet/attach/:link/passkey/options": 4 * KB,
  "/wallet/provider": 4 * KB,
};

interface OpenRoute {
  path: string;
  method: string;
  limitBytes?: number;
}

/** Routes without a contract need no token and no session. A V2 route reads no body. */
function openRoutes(): OpenRoute[] {
  return [...routes, ...privateRoutes].flatMap(({ path, methods }) =>
    Object.entries(methods).flatMap(([method, route]) => {
      if (typeof route !== "function" || path.startsWith("/v2/") || path.startsWith("/api/auth")) return [];
      const { contract, limitBytes } = route as { contract?: object; limitBytes?: number };
      if (contract !== undefined) return [];
      return [{ path, method, ...(limitBytes !== undefined && { limitBytes }) }];
    }),
  );
}

let running = 0;
let most = 0;
let release: () => void = () => undefined;
const held = new Promise<void>((resolve) => {
  release = resolve;
});
let api: Awaited<ReturnType<typeof serveApi>>;

beforeAll(async () => {
  const pages = guardPages(async (_, response) => {
    most = Math.max(most, ++running);
    await held;
    running--;
    response.end("{}");
  });
  api = await serveApi({ pages });
});

afterAll(() => api.close());

test("every route that needs no token states the largest body that it accepts", () => {
  expect(openRoutes().filter(({ limitBytes }) => limitBytes === undefined)).toEqual([]);
  const found = openRoutes().filter(({ method }) => method !== "GET");
  expect(Object.fromEntries(found.map(({ path, limitBytes }) => [path, limitBytes]))).toEqual(LIMITS);
});

test.each(openRoutes().filter(({ method, limitBytes = 0 }) => method !== "GET" && limitBytes < KB * KB))(
  "$method $path refuses a body that announces or sends more",
  async ({ path, method, limitBytes = 0 }) => {
    const url = `${api.baseUrl}${path.replaceAll(/:\w+(\{[^}]*\})?/g, "01a00000-0000-7000-8000-000000000000")}`;
    const answer = await fetch(url, { method, body: "x".repeat(limitBytes + 1) });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.status).toBeLessThan(500);
    const text = await answer.text();
    if (!text.startsWith("<")) expect(JSON.parse(text).error.code).toBeGreaterThan(1000);
  },
);

test("a sign-in accepts a few kilobytes", async () => {
  const url = `${api.baseUrl}/api/auth/signin/oidc`;
  const answer = await fetch(url, { method: "POST", body: "x".repeat(SIGN_IN_LIMIT_BYTES + 1) });
  expect([answer.status, (await answer.json()).error.code]).toEqual([400, 1003]);
});

test.each([
  ["POST", "_log", 404],
  ["POST", "signout", 404],
  ["GET", "signin", 404],
  ["GET", "error", 404],
  ["GET", "verify-request", 404],
  ["POST", "csrf", 405],
  ["POST", "session", 405],
  ["GET", "callback/credentials", 405],
  ["GET", "signin/oidc", 405],
])("%s /api/auth/%s is no action of the sign-in page: %i", async (method, action, status) => {
  const body = method === "POST" ? "{}" : null;
  const headers = { "content-type": "application/json" };
  const answer = await fetch(`${api.baseUrl}/api/auth/${action}`, { method, body, headers });
  expect([answer.status, (await answer.json()).error.code]).toEqual([status, 1003]);
});

test.each(["", " ", "{", "null", "[]", '"a"'])("a sign-in whose JSON is %j is 400", async (body) => {
  const headers = { "content-type": "application/json" };
  const answer = await fetch(`${api.baseUrl}/api/auth/signin/oidc`, { method: "POST", body, headers });
  expect([answer.status, (await answer.json()).error.code]).toEqual([400, 1003]);
});

test("50 sign-ins at once take turns, and other requests are answered meanwhile", async () => {
  const attempts = Array.from({ length: 50 }, () =>
    fetch(`${api.baseUrl}/api/auth/callback/credentials`, {
      method: "POST",
      body: new URLSearchParams({ email: "a@example.com", password: "wrong" }),
    }).then(({ status }) => status),
  );
  await until(() => most > 0);
  const beside = await fetch(`${api.baseUrl}/v3/phone_numbers`);
  expect([beside.status, beside.headers.get("www-authenticate")]).toEqual([401, "Bearer"]);
  release();
  expect(await Promise.all(attempts)).toEqual(Array(50).fill(200));
  expect(most).toBeLessThanOrEqual(HASH_CONCURRENCY);
});

test("sign-ins whose bodies do not arrive keep no one else waiting", async () => {
  release();
  const head =
    "POST /api/auth/callback/credentials HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nemail=";
  const slow = Array.from({ length: 2 * HASH_CONCURRENCY }, () => connect(api.port, "127.0.0.1"));
  await Promise.all(slow.map((socket) => new Promise((resolve) => socket.write(head, resolve))));
  await setTimeout(100);

  const url = `${api.baseUrl}/api/auth/callback/credentials`;
  const answer = await fetch(url, { method: "POST", body: "", signal: AbortSignal.timeout(5000) });

  expect(answer.status).toBe(200);
  for (const socket of slow) socket.destroy();
});

test("attempts that wait for a throttle hold no connection of the hot pool", async () => {
  const email = "flooded@example.com";
  await signIn(email, "wrong");
  let attempts: Promise<unknown>[] = [];
  await transaction(async (tx) => {
    await tx.runText({ text: "select from sign_in_throttles for update" });
    attempts = Array.from({ length: poolSizes().cool - 1 }, () => signIn(email, "wrong"));
    await untilLocked();
    const answers = Array.from({ length: 20 }, () => sql.runText({ name: "beside-flood", text: "select 1" }));
    expect(await Promise.all(answers)).toHaveLength(20);
  });
  await Promise.all(attempts);
});

test.each([
  ["/v3/chats", 401, null],
  ["/mcp", 405, null],
  ["/api/session", 401, "no-store"],
  ["/relay/01a00000-0000-7000-8000-000000000000", 405, null],
  ["/nothing", 200, null],
])("%s is answered with nosniff", async (path, status, cache) => {
  const answer = await fetch(`${api.baseUrl}${path}`);
  expect([answer.status, answer.headers.get("x-content-type-options")]).toEqual([status, "nosniff"]);
  expect(answer.headers.get("cache-control")).toBe(cache);
});

test.each([
  ["POST", "/mcp", {}],
  ["GET", "/api/home", {}],
  ["GET", "/v2/chats/1/migrate_to_v3", {}],
  ["POST", "/relay/01a00000-0000-7000-8000-000000000000", {}],
  ["GET", "/vault/cards/x", {}],
])("%s %s without a token names the scheme of authentication", async (method, path, headers) => {
  const answer = await fetch(`${api.baseUrl}${path}`, { method, headers });
  expect([answer.status, answer.headers.get("www-authenticate")]).toEqual([401, "Bearer"]);
});
