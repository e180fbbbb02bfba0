import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "@playwright/test";
import { sendRequest } from "../scripts/instance/call-instance.mjs";
import { findFreePort } from "../scripts/instance/find-free-port.mjs";
import { readFirstRun } from "../scripts/instance/open-instance.mjs";
import { launchProcess, startProcess } from "../scripts/instance/start-process.mjs";
import type { FirstRun } from "./test-instance";

const START = ["scripts/start.mjs"];
const IN_TERMINAL = {
  command: "script",
  args: ["-qefc", `exec ${process.execPath} ${START}`, "/dev/null"],
};

/** A program to start (by default node) and its arguments. */
type Launched = { command?: string; args: string[] };

let dataDir: string;

test.beforeEach(() => {
  dataDir = mkdtempSync(path.join(tmpdir(), "trunkline-e2e-"));
});

test.afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

async function startInstance(more: Record<string, string> = {}, how: Launched = { args: START }) {
  const port = await findFreePort();
  const env = { PORT: String(port), DATA_DIR: dataDir, DATABASE_URL: "", LOG_LEVEL: "warn", ...more };
  const baseUrl = `http://localhost:${port}`;
  const server = await startProcess({ ...how, env, readyUrl: `${baseUrl}/ready` });
  const demo: FirstRun = readFirstRun(dataDir);
  const call = (what: string, body?: unknown) => sendRequest({ baseUrl, token: demo.token }, what, body);
  return { server, baseUrl, demo, call };
}

const text = (value: string) => ({ parts: [{ type: "text", value }] });

test("a first start keeps its secrets out of logs: it names the file that holds them, for its owner only", async () => {
  const { server, demo } = await startInstance();
  const output = server.output();
  expect(output).not.toContain(demo.admin.password);
  expect(output).not.toContain(demo.token);
  expect(output).toContain(path.join(dataDir, "first-run.json"));
  expect(statSync(path.join(dataDir, "first-run.json")).mode & 0o777).toBe(0o600);
  await server.stop();
});

test("a newcomer's first start in a terminal prints a curl that works", async () => {
  test.skip(process.platform !== "linux", "the command that makes a terminal is another elsewhere");
  const { server, demo } = await startInstance({}, IN_TERMINAL);
  await expect.poll(() => server.output(), { timeout: 60_000 }).toContain("curl -sS");
  const output = server.output();
  const curl = output.slice(output.indexOf("curl -sS"));
  expect(output).toContain(demo.admin.password);

  const [, url = ""] = /curl -sS (\S+)/.exec(curl) ?? [];
  const [, authorization = ""] = /'Authorization: (.+?)'/.exec(curl) ?? [];
  const [, body = ""] = /-d '(.+?)'/.exec(curl) ?? [];
  const answer = await fetch(url, {
    method: "POST",
    headers: { authorization, "content-type": "application/json" },
    body,
  });
  expect(answer.status).toBe(201);
  await server.stop();
});

test("messages accepted before a stop are sent after the next start, with the same data and token", async () => {
  const first = await startInstance({ ROLE: "web" });
  const created = await first.call("POST /v3/chats", {
    from: first.demo.line,
    to: [first.demo.phone],
    message: text("before the stop"),
  });
  const { chat } = created.body;
  await first.server.stop();

  const second = await startInstance();
  expect(second.demo.token).toBe(first.demo.token);
  await expect
    .poll(async () => (await second.call(`GET /v3/messages/${chat.message.id}`)).body.delivery_status)
    .toBe("delivered");
  await second.server.stop();
});

test("a second start on the same data directory is refused, and says what to do", async () => {
  const { server } = await startInstance();
  const port = await findFreePort();
  const second = launchProcess({
    args: START,
    env: { PORT: String(port), DATA_DIR: dataDir, DATABASE_URL: "" },
  });
  await expect.poll(() => second.isRunning(), { timeout: 15_000 }).toBe(false);
  expect(second.output()).toContain("is using the data directory");
  expect(second.output()).toContain("DATA_DIR");
  await server.stop();
});

test("a database of yours needs its encryption key named", async () => {
  const refused = launchProcess({
    args: START,
    env: { DATABASE_URL: "postgresql://localhost:1/none", ENCRYPTION_KEY: "", DATA_DIR: dataDir },
  });
  await expect.poll(() => refused.isRunning(), { timeout: 15_000 }).toBe(false);
  expect(refused.output()).toContain("ENCRYPTION_KEY");
});

test("answers are the same before Next and through Next", async () => {
  const { server, call } = await startInstance({ API_THROUGH_NEXT: "1" });
  const before = await fetchShapes(call);
  await server.stop();

  const direct = await startInstance();
  const after = await fetchShapes(direct.call);
  await direct.server.stop();

  expect(before).toEqual(after);
});

/** The status, relevant headers and keys of the responses to valid and invalid requests. */
async function fetchShapes(call: Awaited<ReturnType<typeof startInstance>>["call"]) {
  const unknown = "01a00000-0000-7000-8000-000000000000";
  const requests: [string, unknown?][] = [
    ["GET /v3/phone_numbers"],
    ["GET /api/partner/v3/phone_numbers"],
    ["GET /v3/chats?limit=1"],
    ["GET /v3/chats?limit=0"],
    ["GET /v3/chats/not-a-uuid"],
    [`GET /v3/chats/${unknown}`],
    [`POST /v3/chats/${unknown}/messages`, { message: text("hi") }],
    ["POST /v3/chats", { from: "5550100" }],
    [
      "POST /v3/webhook-subscriptions",
      { target_url: "https://10.0.0.1/", subscribed_events: ["message.sent"] },
    ],
    ["DELETE /v3/chats"],
    ["GET /v3/nothing"],
    ["GET /v3/webhook_events"],
  ];
  const shapes: unknown[] = [];
  for (const [what, body] of requests) {
    const { status, headers, body: answer } = await call(what, body);
    const trace = /^[0-9a-f]{32}$/.test(headers.get("x-trace-id") ?? "");
    shapes.push({
      what,
      status,
      trace,
      code: answer.error?.code,
      keys: Object.keys(answer),
    });
  }
  return shapes;
}
