import "@/lib/testing/use-test-database";
import "@/lib/testing/capture-log";

import LinqAPIV3 from "@linqapp/sdk";
import pg from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { inScope, newScope } from "@/lib/platform/database/database-scope";
import { closeDatabase, prisma, sql } from "@/lib/platform/database/db";
import { guardPages } from "@/lib/runtime/server/pages/guard-pages";
import { eventStream } from "@/lib/runtime/streams/event-stream";
import { type ApiAnswer, callApi } from "@/lib/testing/call-api";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { createDirectChat, createTestPhone } from "@/lib/testing/factories";
import { serveApi } from "@/lib/testing/serve-api";
import { startTcpProxy } from "@/lib/testing/servers/start-tcp-proxy";
import { until } from "@/lib/testing/until";

const directUrl = process.env.DATABASE_URL ?? "";
const proxy = await startTcpProxy(directUrl);
process.env.DATABASE_URL = proxy.url;
process.env.DATABASE_TIMEOUT_SECONDS = "2";

let api: Awaited<ReturnType<typeof serveApi>>;
let account: TestAccount;
let chatId: string;
/** A connection that the outage does not affect. */
let direct: pg.Client;

beforeAll(async () => {
  api = await serveApi();
  direct = new pg.Client({ connectionString: directUrl });
  await direct.connect();
  account = await createTestAccount({ type: "sandbox" });
  chatId = await createDirectChat(account, await createTestPhone(account));
});

afterEach(async () => {
  proxy.setMode("forward");
  await direct.query("rollback");
});

afterAll(async () => {
  await closeDatabase();
  await api.close();
  await direct.end();
  await proxy.close();
});

/** The official client with shortened retry delays, and the responses it received. */
function officialClient() {
  const answers: { status: number; retryAfter: string | null; shouldRetry: string | null }[] = [];
  const client = new LinqAPIV3({
    apiKey: account.token,
    baseURL: api.baseUrl,
    fetch: async (url, init) => {
      const { status, headers, ...answer } = await fetchWhole(url, init);
      answers.push({
        status,
        retryAfter: headers.get("retry-after"),
        shouldRetry: headers.get("x-should-retry"),
      });
      headers.set("retry-after-ms", "10");
      return new Response(answer.body, { status, headers });
    },
  });
  return { client, answers };
}

async function fetchWhole(...request: Parameters<typeof fetch>) {
  const response = await fetch(...request);
  return { status: response.status, headers: new Headers(response.headers), body: await response.text() };
}

function send(client: LinqAPIV3, value: string, idempotency_key?: string) {
  return client.chats.messages.send(chatId, {
    message: { parts: [{ type: "text", value }], idempotency_key },
  });
}

/**
 * Starts a write and cuts the network while the write waits for a lock. Then releases the lock, so the write commits.
 */
async function cutWhileWriting(write: () => Promise<unknown>): Promise<void> {
  await direct.query("begin");
  await direct.query("lock table messages in exclusive mode");
  const ended = write();
  await until(async () => {
    const { rows } = await direct.query(
      "select from pg_locks where relation = 'messages'::regclass and not granted",
    );
    return rows.length > 0;
  });
  proxy.cut();
  await direct.query("rollback");
  await ended;
}

async function stored(value: string): Promise<number> {
  const { rows } = await direct.query(
    "select from messages where account_id = $1 and parts -> 0 ->> 'value' = $2",
    [account.ref.id, value],
  );
  return rows.length;
}

const AGAIN = { status: 503, retryAfter: "30", shouldRetry: "true" };
const UNKNOWN = { status: 503, retryAfter: "30", shouldRetry: "false" };

test("a database that is away: 503/4004 after 30 seconds, and the official client repeats a send that was never stored", async () => {
  await closeDatabase();
  proxy.setMode("refuse");
  const { client, answers } = officialClient();

  await expect(send(client, "never sent")).rejects.toMatchObject({
    status: 503,
    error: { success: false, error: { code: 4004, status: 503, retry_after: 30 } },
  });
  expect(answers).toEqual([AGAIN, AGAIN, AGAIN]);
  expect(await stored("never sent")).toBe(0);
});

test("an event stream that comes back meanwhile ends with 503/4004, so that its client comes back again", async () => {
  await closeDatabase();
  proxy.setMode("refuse");
  const stream = eventStream(
    {
      accountId: account.ref.id,
      after: 1,
      tell: () => null,
      traceId: "trace",
      signal: new AbortController().signal,
    },
    () => undefined,
  );
  const text = await new Response(stream).text();
  expect(text).toContain("event: error");
  expect(text).toContain('"code":4004');
});

test("a request that got no connection does not wait for one again with its next statement", async () => {
  await closeDatabase();
  proxy.setMode("refuse");
  const before = proxy.accepted;
  await inScope(newScope(), async () => {
    await expect(sql.runText({ text: "select 1" })).rejects.toThrow();
    const tried = proxy.accepted;
    await expect(sql.runText({ text: "select 1" })).rejects.toThrow("gave this request no connection");
    await expect(prisma().account.count()).rejects.toThrow();
    expect(proxy.accepted).toBe(tried);
  });
  expect(proxy.accepted).toBeGreaterThan(before);
});

test("a send without a key that may have been stored is not repeated by the official client", async () => {
  const { client, answers } = officialClient();
  await cutWhileWriting(() =>
    expect(send(client, "once")).rejects.toMatchObject({
      error: {
        error: { code: 4004, message: expect.stringContaining("outcome of this request is unknown") },
      },
    }),
  );

  expect(answers).toEqual([UNKNOWN]);
  await until(async () => (await stored("once")) > 0);
  expect(await stored("once")).toBe(1);
});

test("a send with a key is repeated by the official client, and stored once", async () => {
  const { client, answers } = officialClient();
  await cutWhileWriting(async () => {
    const { message } = await send(client, "with a key", "key-1");
    expect(message.id).toBeTruthy();
  });

  expect(answers.map(({ status }) => status)).toEqual([503, 202]);
  expect(answers[0]).toEqual(AGAIN);
  expect(await stored("with a key")).toBe(1);
});

test("a database that is read-only has stored nothing: the send may be repeated", async () => {
  const name = new URL(directUrl).pathname.slice(1);
  await direct.query(`alter database ${name} set default_transaction_read_only = on`);
  await closeDatabase();
  const { client, answers } = officialClient();

  await expect(send(client, "read-only")).rejects.toMatchObject({ error: { error: { code: 4004 } } });
  await direct.query(`alter database ${name} reset default_transaction_read_only`);
  await closeDatabase();

  expect(answers).toEqual([AGAIN, AGAIN, AGAIN]);
  expect((await send(client, "read-only")).chat_id).toBe(chatId);
});

test("a network that swallows everything: every request is answered, and what comes after is served", async () => {
  await Promise.all(Array.from({ length: 8 }, () => sql.runText({ text: "select pg_sleep(0.02)" })));
  proxy.silenceOpen();
  const { token } = account;
  const body = { message: { parts: [{ type: "text", value: "into the void" }] } };

  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, at) =>
      at % 2 === 0
        ? callApi("GET /v3/phone_numbers", { token })
        : callApi(`POST /v3/chats/${chatId}/messages`, { token, body }),
    ),
  );
  const codes = answers.map(({ status, body: answer }: ApiAnswer) => answer.error?.code ?? status);
  expect(new Set(codes)).toEqual(new Set([4004]));
  expect((await callApi("GET /v3/phone_numbers", { token })).status).toBe(200);
});

test("the checkout and the V2 family say 503 too, each in its own words", async () => {
  await closeDatabase();
  proxy.setMode("refuse");
  const sendRequest = (path: string) =>
    fetchWhole(`${api.baseUrl}${path}`, { headers: { "x-service-integration-token": account.token } });

  const page = await sendRequest(`/pay/checkout?session=tlpay_${"x".repeat(43)}`);
  expect([page.status, page.headers.get("content-type")]).toEqual([503, "text/html; charset=utf-8"]);
  const v2 = await sendRequest("/v2/chats/1/migrate_to_v3");
  expect([v2.status, JSON.parse(v2.body).errors?.[0]]).toEqual([
    503,
    expect.objectContaining({ status: 503, code: "service_unavailable" }),
  ]);
  expect(v2.headers.get("retry-after")).toBe("30");
});

describe("a page whose database is away", () => {
  /** Behaves like Next: a page reads the database while rendering, and an exception becomes a page with 500. */
  const pages = guardPages(async (request, response) => {
    const isHtml = request.headers.rsc === undefined;
    const headers = { "content-type": isHtml ? "text/html; charset=utf-8" : "text/x-component" };
    const status = await (request.url === "/prisma"
      ? prisma().signInLink.count()
      : sql.runText({ text: "select" })
    ).then(
      () => 200,
      () => 500,
    );
    if (request.url?.startsWith("/api/auth/")) {
      const location = `/sign-in?error=${status}`;
      return response.writeHead(status === 200 ? 302 : 401, { location }).end();
    }
    if (request.url === "/other") return response.writeHead(500, headers).end("<p>Something failed");
    response.writeHead(status, headers).end("<p>The page");
  });
  let served: Awaited<ReturnType<typeof serveApi>>;

  beforeAll(async () => {
    served = await serveApi({ pages });
    await closeDatabase();
  });
  afterAll(() => served.close());

  const open = (path: string, headers: Record<string, string>) =>
    fetchWhole(served.baseUrl + path, { headers });

  test.each(["/sql", "/prisma"])(
    "is 503 with Retry-After and a page that needs nothing else: %s",
    async (path) => {
      proxy.setMode("refuse");
      const page = await open(path, { accept: "text/html,*/*" });
      expect(page.status).toBe(503);
      expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
      expect(page.headers.get("retry-after")).toBe("30");
      expect(page.headers.get("cache-control")).toBe("no-store");
      expect(page.body).toContain("<h1>The database is not available</h1>");
      expect(page.body).toContain(page.headers.get("x-trace-id") ?? "no trace id");
      expect(page.body).toContain("prefers-color-scheme: dark");
      expect(page.body).not.toMatch(/<script|src=|url\(|@import|https?:/);
    },
  );

  test("is 503/4004 in the envelope to a program, and to the dashboard's own navigation", async () => {
    proxy.setMode("refuse");
    const program: Record<string, string> = { accept: "*/*" };
    for (const headers of [program, { ...program, rsc: "1" }]) {
      const answer = await open("/sql", headers);
      expect([answer.status, JSON.parse(answer.body).error.code]).toEqual([503, 4004]);
      expect(answer.headers.get("retry-after")).toBe("30");
    }
  });

  test("does not make a sign-in look like a wrong password", async () => {
    proxy.setMode("refuse");
    const answer = await open("/api/auth/callback/oidc", { accept: "*/*" });
    expect([answer.status, JSON.parse(answer.body).error.code]).toEqual([503, 4004]);
  });

  test("is 503 too when the database is silent, and the page again once it answers", async () => {
    proxy.setMode("silent");
    expect((await open("/sql", { accept: "text/html" })).status).toBe(503);
    proxy.setMode("forward");
    await closeDatabase();
    expect((await open("/sql", { accept: "text/html" })).body).toBe("<p>The page");
  });

  test("a page that fails for another reason stays what it is", async () => {
    const page = await open("/other", { accept: "text/html" });
    expect([page.status, page.body]).toEqual([500, "<p>Something failed"]);
  });
});
