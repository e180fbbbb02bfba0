import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type next from "next";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { buildPages } from "@/lib/runtime/server/pages/build-pages";
import { servePages } from "@/lib/runtime/server/pages/serve-pages";
import { captureLog } from "@/lib/testing/capture-log";

const logged = captureLog();
const HTML = { accept: "text/html" };

let servers: Server[] = [];
let stops: (() => Promise<void>)[] = [];

beforeEach(() => {
  // The pages' policy then needs no build on the disk.
  Object.assign(process.env, { NODE_ENV: "development" });
});

afterEach(async () => {
  for (const stop of stops.toReversed()) await stop();
  for (const server of servers) server.close();
  servers = [];
  stops = [];
});

/** Replaces Next. */
const fakeNext = (() => ({
  prepare: async () => undefined,
  close: async () => undefined,
  getRequestHandler: () => (_: unknown, response: { end(text: string): void }) => response.end("a page"),
})) as unknown as typeof next;

function builderOf(finished: Promise<void>) {
  return () => ({ finished, stop: async () => undefined });
}

async function serve(dashboard: string, finished = Promise.resolve()) {
  process.env.DASHBOARD = dashboard;
  const { handler } = await servePages(fakeNext, stops, builderOf(finished));
  const server = createServer(handler).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  servers.push(server);
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/chats`;
  return async (headers: Record<string, string> = {}) => {
    const response = await fetch(url, { headers });
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
}

test("an instance with DASHBOARD=on serves the pages", async () => {
  const get = await serve("on");
  expect(await get(HTML)).toMatchObject({ status: 200, text: "a page" });
});

test("an instance with DASHBOARD=off has no pages", async () => {
  const get = await serve("off");
  const { status, text } = await get();
  expect([status, JSON.parse(text).error.code]).toEqual([404, 1003]);
});

test("until the pages are built, browsers get a page that reloads itself and programs get 503/4004", async () => {
  let finish = () => {};
  const get = await serve("build", new Promise((resolve) => (finish = resolve)));

  const page = await get(HTML);
  expect(page.status).toBe(503);
  expect(page.text).toContain("The dashboard is being built");
  expect(page.headers.get("refresh")).toBe("3");
  expect(page.headers.get("x-trace-id")).toMatch(/^[0-9a-f]{32}$/);
  const { status, text } = await get();
  expect([status, JSON.parse(text).error.code]).toEqual([503, 4004]);

  finish();
  await vi.waitFor(async () => expect(await get(HTML)).toMatchObject({ status: 200, text: "a page" }));
});

test("a build that fails leaves a page that says so", async () => {
  const get = await serve("build", Promise.reject(new Error("no disk space")));
  await vi.waitFor(async () => expect((await get(HTML)).text).toContain("The dashboard could not be built"));
  expect(logged.join("")).toContain("no disk space");
});

test("a build that ends with an error rejects with the end of its output", async () => {
  const { finished } = buildPages(["-e", "console.error('no such module'); process.exit(3)"]);
  await expect(finished).rejects.toThrow(/exit code 3:\n.*no such module/s);
});

test("a build that is stopped ends with the programs that it started", async () => {
  const program = "setInterval(() => {}, 1000)";
  const started = `require("node:child_process").spawn(process.execPath, ["-e", "${program}"], { stdio: "inherit" })`;
  const builder = buildPages(["-e", `${started}; ${program}`]);
  // The inner program holds the output of the build open for as long as it runs.
  await builder.stop();
  await expect(builder.finished).rejects.toThrow("exit code null");
});
