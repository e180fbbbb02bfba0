import "@/lib/testing/use-test-database";

import { globSync, readFileSync } from "node:fs";
import { Agent, get, IncomingMessage, request as startRequest } from "node:http";
import { connect, type Socket } from "node:net";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { afterEach, describe, expect, test } from "vitest";
import { privateRoutes } from "@/.generated/private-route-table";
import { routes } from "@/.generated/route-table";
import { bodyOf } from "@/lib/platform/http/node-body";
import { readChunks } from "@/lib/platform/http/read-chunks";
import { beginDrain } from "@/lib/platform/instances/drain";
import { drainServer, listen } from "@/lib/runtime/server/http-server";
import { guardPages } from "@/lib/runtime/server/pages/guard-pages";
import { relaySockets } from "@/lib/runtime/server/relay-sockets";
import { createTestAccount } from "@/lib/testing/create-test-account";
import { readStream } from "@/lib/testing/read-stream";
import { serveApi } from "@/lib/testing/serve-api";

type Served = Awaited<ReturnType<typeof serveApi>>;

const open: { close(): unknown }[] = [];

afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});

async function serve(...more: Parameters<typeof serveApi>): Promise<Served> {
  const api = await serveApi(...more);
  open.push(api);
  return api;
}

function openSocket(api: Served): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(api.port, "127.0.0.1", () => resolve(socket));
    socket.on("error", reject);
    open.push({ close: () => socket.destroy() });
  });
}

/** Everything the server sends on a connection until it closes the connection. */
function readUntilClosed(socket: Socket): Promise<string> {
  return text(socket);
}

function sendRequest(api: Served, agent: Agent, path = "/v3/nothing"): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const asking = get(`${api.baseUrl}${path}`, { agent }, (response) => {
      response.resume().once("end", () => resolve(response));
    });
    asking.once("error", reject);
  });
}

test.each([
  ["EADDRINUSE", { host: "127.0.0.1" }, /^PORT: another program uses this port/],
  ["ENOTFOUND", { host: "no-such-host.invalid", port: 0 }, /^HOST: (this name has no|the) address/],
  ["EADDRNOTAVAIL", { host: "192.0.2.1", port: 0 }, /^HOST: this machine has no such address/],
])("a start that can't listen (%s) names the setting", async (_code, options, reason) => {
  const { port } = await serve();
  const handlers = { api: { fetch: () => new Response(), knows: () => false }, pages: () => undefined };
  await expect(listen({ port, apiThroughNext: false, ...handlers, ...options })).rejects.toThrow(reason);
});

test("the route of a PUT reads Node's stream; of a body that is already lost, the request's", async () => {
  const bodies: unknown[] = [];
  const fetchUpload = async (request: Request) => {
    const body = bodyOf(request);
    bodies.push(body);
    let sizeBytes = 0;
    for await (const chunk of readChunks(body)) sizeBytes += chunk.byteLength;
    if (body instanceof IncomingMessage) bodies.push(bodyOf(request));
    return new Response(String(sizeBytes));
  };
  const api = await serve({ api: { fetch: fetchUpload, knows: () => true } });
  const response = await fetch(`${api.baseUrl}/uploads/a/b`, { method: "PUT", body: Buffer.alloc(300_000) });
  expect(await response.text()).toBe("300000");
  expect(bodies[0]).toBeInstanceOf(IncomingMessage);
  expect(bodies[1]).not.toBeInstanceOf(IncomingMessage);
});

test("connections of one address beyond the limit get 429/1007 and are closed; a freed place is taken", async () => {
  const api = await serve({ connectionsPerAddress: 2 });
  const first = await openSocket(api);
  await openSocket(api);

  const refused = await readUntilClosed(await openSocket(api));
  expect(refused).toMatch(/^HTTP\/1\.1 429 .*retry-after: 5\r\n.*"code":1007/s);

  first.destroy();
  await expect.poll(async () => (await fetch(`${api.baseUrl}/health`).catch(() => null))?.status).toBe(200);
});

test("only the path of a WebSocket route upgrades, and only to WebSocket", async () => {
  const upgraded: string[] = [];
  const api = await serve({
    webSockets: [
      {
        matches: (path) => path === "/socket",
        handle: (request, socket) => {
          upgraded.push(request.url ?? "");
          socket.end("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n");
        },
      },
    ],
  });
  const upgrade = async (path: string, to: string) => {
    const socket = await openSocket(api);
    socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, close\r\nUpgrade: ${to}\r\n\r\n`);
    return (await readUntilClosed(socket)).slice(0, 12);
  };

  expect(await upgrade("/socket?token=x", "websocket")).toBe("HTTP/1.1 101");
  expect(await upgrade("/socket", "h2c")).toBe("HTTP/1.1 404");
  expect(await upgrade("/v3/nothing", "websocket")).toBe("HTTP/1.1 404");
  expect(upgraded).toEqual(["/socket?token=x"]);
});

describe("a path under no page", () => {
  test("is the envelope to a client that does not ask for HTML, whatever Next would show", async () => {
    const api = await serve();
    for (const accept of ["*/*", "application/json", "image/png"]) {
      const answer = await fetch(`${api.baseUrl}/nothing/here`, { headers: { accept } });
      expect(answer.status).toBe(404);
      expect(answer.headers.get("content-type")).toBe("application/json");
      expect(await answer.json()).toMatchObject({
        error: { code: 1003 },
        trace_id: answer.headers.get("x-trace-id"),
      });
    }
  });

  test("is the envelope to a browser too where Next has no page for it", async () => {
    const pages = guardPages((_, response) => {
      response.writeHead(404, { "content-type": "text/plain" }).end("Not Found");
    });
    const api = await serve({ pages });
    const answer = await fetch(`${api.baseUrl}/_next/static/none.js`, { headers: { accept: "text/html" } });
    expect([answer.status, (await answer.json()).error.code]).toEqual([404, 1003]);
  });

  test("is 426 with the reason for GET /relay without Upgrade, which a proxy may have dropped", async () => {
    const api = await serve({ webSockets: [relaySockets()] });
    const answer = await fetch(`${api.baseUrl}/relay?token=x`);
    expect(answer.status).toBe(426);
    expect(answer.headers.get("upgrade")).toBe("websocket");
    expect((await answer.json()).error).toMatchObject({
      code: 1003,
      message: expect.stringContaining("Upgrade"),
    });
  });

  test("is a page to a browser", async () => {
    const api = await serve();
    const answer = await fetch(`${api.baseUrl}/nothing/here`, { headers: { accept: "text/html,*/*" } });
    expect([answer.status, answer.headers.get("content-type")]).toEqual([404, "text/html; charset=utf-8"]);
    expect(answer.headers.get("x-trace-id")).toMatch(/^[0-9a-f]{32}$/);
  });
});

describe("a body for Next", () => {
  const echo = guardPages(async (request, response) => {
    response.setHeader("content-type", "text/plain");
    response.end(`${request.method} ${request.url} ${request.headers["x-mark"]} ${await text(request)}`);
  });
  const post = (api: Served, body: BodyInit, headers: Record<string, string> = {}) =>
    fetch(`${api.baseUrl}/api/auth/callback/credentials?a=1`, {
      method: "POST",
      body,
      headers: { "x-mark": "kept", ...headers },
      duplex: "half",
    } as RequestInit);

  test("arrives whole with the rest of its request, announced or in chunks", async () => {
    const api = await serve({ pages: echo });
    const expected = "POST /api/auth/callback/credentials?a=1 kept email=a%40b";
    expect(await (await post(api, new URLSearchParams({ email: "a@b" }))).text()).toBe(expected);
    const chunks = Readable.toWeb(Readable.from([Buffer.from("email="), Buffer.from("a%40b")]));
    expect(await (await post(api, chunks as unknown as BodyInit)).text()).toBe(expected);
  });

  test("is refused beyond 16 KB", async () => {
    const api = await serve({ pages: echo });
    const tooLarge = await post(api, "x".repeat(16 * 1024 + 1));
    expect([tooLarge.status, (await tooLarge.json()).error.code]).toEqual([400, 1003]);
  });

  test("never reaches a page: a server action is 405 before Next decodes it", async () => {
    const api = await serve({ pages: echo });
    const form = new FormData();
    form.set("$ACTION_ID_40deadbeef", "");
    for (const path of ["/", "/sign-in", "/nothing/here", "/_next/static/x.js", "/api/auth"]) {
      for (const headers of [new Headers(), new Headers({ "next-action": "40deadbeef" })]) {
        for (const body of [form, '["$F9",{', new URLSearchParams({ a: "b" })]) {
          const answer = await fetch(api.baseUrl + path, { method: "POST", body, headers });
          expect([path, answer.status, answer.headers.get("allow")]).toEqual([path, 405, "GET, HEAD"]);
          expect((await answer.json()).error.code).toBe(1003);
        }
      }
    }
  });
});

test("a page that stands in for others is not found under its own name", async () => {
  const pages = guardPages((request, response) => response.end(request.url));
  const api = await serve({ pages });
  for (const path of ["/_global-error", "/_error", "/500?x=1"]) {
    expect(await (await fetch(api.baseUrl + path)).text()).toBe("/_not-found");
  }
  expect(await (await fetch(`${api.baseUrl}/docs?a=/500`)).text()).toBe("/docs?a=/500");
});

test("a callback cookie of the sign-in that is no URL is removed with the answer", async () => {
  const api = await serve();
  const headers = { cookie: "next-auth.callback-url=::::" };
  const answer = await fetch(`${api.baseUrl}/api/auth/csrf`, { headers });
  expect(answer.headers.get("set-cookie")).toBe("next-auth.callback-url=; Max-Age=0; Path=/");
});

test("a request of the sign-in's own client, which announces JSON and sends none, passes", async () => {
  const pages = guardPages((request, response) => response.end(request.url));
  const api = await serve({ pages });
  const headers = { "content-type": "application/json" };
  const answer = await fetch(`${api.baseUrl}/api/auth/providers`, { headers });
  expect([answer.status, await answer.text()]).toEqual([200, "/api/auth/providers"]);
});

test("no server action exists: every change goes through a route, with its checks", () => {
  const sources = globSync("{app,components,lib}/**/*.{ts,tsx}", {
    exclude: (name) => name.includes(".test."),
  });
  expect(sources.length).toBeGreaterThan(500);
  const actions = sources.filter((file) => /^\s*["']use server["']/m.test(readFileSync(file, "utf8")));
  expect(actions).toEqual([]);
});

describe("a failure as Next writes it", () => {
  test.each<[what: string, type: string, headers: Record<string, string>]>([
    ["JSON of the sign-in's library", "application/json", { accept: "text/html" }],
    ["plain text", "text/plain; charset=utf-8", { accept: "text/html" }],
    ["no type at all", "", { accept: "text/html" }],
    ["the data of a page without a navigation", "text/x-component", {}],
    ["a page, for a program", "text/html", { accept: "*/*" }],
  ])("is the envelope when it is %s", async (_, type, headers) => {
    const pages = guardPages((__, response) => {
      response.writeHead(500, type === "" ? {} : { "content-type": type }).end("{}");
    });
    const api = await serve({ pages });
    const answer = await fetch(`${api.baseUrl}/x`, { headers });
    expect([answer.status, (await answer.json()).error.code]).toEqual([500, 3006]);
  });

  test("stays the data of a page for the dashboard's own navigation", async () => {
    const pages = guardPages((_, response) => {
      response.writeHead(404, { "content-type": "text/x-component" }).end("0:{}");
    });
    const api = await serve({ pages });
    const answer = await fetch(`${api.baseUrl}/x`, { headers: { rsc: "1" } });
    expect([answer.status, await answer.text()]).toEqual([404, "0:{}"]);
  });
});

test("every route answers with a trace id, whatever the method", async () => {
  const api = await serve();
  const without: string[] = [];
  const paths = [...routes, ...privateRoutes].map(({ path }) =>
    path.replace(/:(\w+)(\{[^}]*\})?/g, "01a00000-0000-7000-8000-000000000000"),
  );
  for (const path of [
    ...paths,
    "/v2/nothing",
    "/health",
    "/ready",
    "/api/auth/session",
    "/docs",
    "/nothing",
  ]) {
    for (const method of ["GET", "POST"]) {
      const answer = await fetch(api.baseUrl + path, { method, redirect: "manual" });
      await answer.arrayBuffer();
      if (!/^[0-9a-f]{32}$/.test(answer.headers.get("x-trace-id") ?? "")) without.push(`${method} ${path}`);
    }
  }
  expect(without).toEqual([]);
});

// Runs last: draining cannot be undone.
describe("a server that drains", () => {
  test("says Connection: close to requests that run and that come, ends streams with a hint, and then closes", async () => {
    const { promise: gate, resolve: letGo } = Promise.withResolvers<void>();
    const { promise: asked, resolve: isAsked } = Promise.withResolvers<void>();
    const api = await serve({
      pages: async (_, response) => {
        isAsked();
        await gate;
        response.end("done");
      },
    });
    const { token } = await createTestAccount({ type: "sandbox" });
    const agent = new Agent({ keepAlive: true });
    const stream = await readStream(`${api.baseUrl}/v3/events/stream`, { token });
    expect((await sendRequest(api, agent)).headers.connection).toBe("keep-alive");
    const running = sendRequest(api, new Agent({ keepAlive: true }), "/slow");
    await asked;

    beginDrain();
    const drained = drainServer(api.server, 60_000);
    await expect.poll(() => stream.isEnded()).toBe(true);
    expect(stream.text()).toMatch(/\nretry: \d+\n\n$/);

    // A connection opened earlier gets its response, with `Connection: close`.
    const late = await sendRequest(api, agent);
    expect([late.statusCode, late.headers.connection]).toEqual([404, "close"]);
    letGo();
    expect((await running).headers.connection).toBe("close");
    await drained;
    await expect(sendRequest(api, agent)).rejects.toThrow(/ECONNREFUSED/);
  });

  test("cuts what does not end within its patience", async () => {
    const { promise: asked, resolve: isAsked } = Promise.withResolvers<void>();
    const api = await serve({ pages: () => isAsked() });
    const asking = startRequest(`${api.baseUrl}/never`).end();
    const failed = new Promise<Error>((resolve) => asking.once("error", resolve));
    await asked;
    await drainServer(api.server, 100);
    expect((await failed).message).toMatch(/socket hang up|ECONNRESET/);
  });
});
