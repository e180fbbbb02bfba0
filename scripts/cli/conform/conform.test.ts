import "@/lib/testing/use-test-database";
import type http from "node:http";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { reloadEnv } from "@/lib/platform/env";
import { ERRORS } from "@/lib/platform/errors/errors";
import { startRequestLog } from "@/lib/runtime/monitoring/observe-requests";
import { startWorker, type Worker } from "@/lib/runtime/worker/start-worker";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { createTestPhone, writeAs } from "@/lib/testing/factories";
import { serveApi } from "@/lib/testing/serve-api";
import { until } from "@/lib/testing/until";
import { bundleCli } from "@/scripts/cli/bundle-cli";
import { operationsOf, readApiDocument } from "@/scripts/cli/conform/api-document";
import { ERROR_CODES } from "@/scripts/cli/conform/areas/error-codes";
import { STEPS } from "@/scripts/cli/conform/areas/run-operations";
import type { Check } from "@/scripts/cli/conform/check";
import { closeServers, listen } from "@/scripts/cli/conform/fake-server";
import {
  type ProxiedRequest,
  type ProxiedResponse,
  startPlantingProxy,
} from "@/scripts/cli/conform/plants/planting-proxy";
import { PLANTS } from "@/scripts/cli/conform/plants/plants";
import { WITHOUT_EXTENSIONS } from "@/scripts/cli/conform/plants/without-extensions";
import { type ConformOptions, runConform } from "@/scripts/cli/conform/run-conform";

type Proxy = Awaited<ReturnType<typeof startPlantingProxy>>;

/** Whole runs, on machines that do other work. */
const RUN_MS = 600_000;

let account: TestAccount;
let api: Awaited<ReturnType<typeof serveApi>>;
let worker: Worker;
let requestLog: ReturnType<typeof startRequestLog>;
let cli: Awaited<ReturnType<typeof bundleCli>>;
const servers: { close(): unknown }[] = [];

beforeAll(async () => {
  account = await createTestAccount({ type: "sandbox" });
  api = await serveApi();
  // Files are uploaded to this server.
  process.env.BASE_URL = api.baseUrl;
  process.env.REQUEST_LOG_DAYS = "30";
  reloadEnv();
  worker = await startWorker();
  requestLog = startRequestLog();
  cli = await bundleCli({ url: api.baseUrl, token: account.token });
});
afterEach(async () => {
  cli.endAll();
  for (const server of servers.splice(0)) await server.close();
});
afterAll(async () => {
  await worker.stop();
  await requestLog.stop();
  await api.close();
  await cli.remove();
});

async function proxied(...parameters: Parameters<typeof startPlantingProxy>): Promise<Proxy> {
  const proxy = await startPlantingProxy(...parameters);
  servers.push(proxy);
  return proxy;
}

function conform(options: Partial<ConformOptions> & { baseUrl: string }): Promise<Check[]> {
  return runConform({ token: account.token, phones: false, timeoutSeconds: 30, waitSeconds: 60, ...options });
}

const differentOf = (checks: readonly Check[]) => checks.filter(({ outcome }) => outcome === "different");
const skippedOf = (checks: readonly Check[]) => checks.filter(({ outcome }) => outcome === "skipped");
const HANDLES = /\+[1-9]\d{6,14}|[^\s"/@]+@[^\s"/@]+/g;

test("every operation of openapi.json has a step, or is named as one without", () => {
  const names = operationsOf(readApiDocument()).map(({ name }) => name);
  expect(names.filter((name) => !STEPS.some(({ op }) => op === name))).toEqual([]);
  expect(STEPS.map(({ op }) => op).filter((op) => !names.includes(op))).toEqual([]);
});

test("every error code is provoked by a check, or named with the reason why none does", () => {
  const codes = new Set(Object.values(ERRORS).map(({ code }) => String(code)));
  expect(Object.keys(ERROR_CODES)).toEqual([...codes].sort());
});

test("Trunkline is the same as its contract, and a run writes only to its simulated phones and removes what it created", {
  timeout: RUN_MS,
}, async () => {
  const seenCodes = new Set<unknown>();
  const proxy = await proxied(api.baseUrl, [
    { response: (_, { body }) => void seenCodes.add(body?.error?.code) },
  ]);
  const notRemoved: string[] = [];
  const checks = await conform({ baseUrl: proxy.url, phones: true, listen: "127.0.0.1:0", left: notRemoved });
  expect([differentOf(checks), notRemoved]).toEqual([[], []]);
  const isNamed = /^(webhooks\/the event (call\.\w+|message\.opt_(in|out))|inputs\/error \d+)$/;
  expect(
    skippedOf(checks)
      .map(({ id }) => id)
      .filter((id) => !isNamed.test(id)),
  ).toEqual([
    "operations/POST /v3/webhook-subscriptions/{subscriptionId}/replays",
    "operations/DELETE /v3/webhook-subscriptions/{subscriptionId}/replays",
  ]);
  const unprovoked = Object.entries(ERROR_CODES).filter(([code, provocation]) => {
    const check = "check" in provocation ? checks.find(({ id }) => id === provocation.check) : null;
    const isProvoked =
      check?.outcome === "passed" && check.expected.includes(code) && seenCodes.has(Number(code));
    return check !== null && !isProvoked;
  });
  expect(unprovoked).toEqual([]);
  expect(checks.length).toBeGreaterThan(800);

  const sends = proxy.requests.filter(
    ({ method, path, body }) => method !== "GET" && body !== undefined && !path.startsWith("/simulator/"),
  );
  const recipients = sends.flatMap(({ body }) => [body.to, body.handle, body.address].flat());
  const people = new Set(recipients.filter((one) => typeof one === "string" && HANDLES.test(one)));
  const phones = proxy.requests
    .filter(({ path }) => path === "/simulator/phones")
    .map(({ body }) => body.handle);
  expect(phones).toHaveLength(4);
  for (const person of people) {
    expect([...phones, "nobody@conform.invalid"]).toContain(person);
  }
  const token = proxy.requests.at(-1)?.headers.authorization?.replace("Bearer ", "");
  const left = await callApi("GET /v3/webhook-subscriptions", { token: token ?? "" });
  expect(left.body.subscriptions).toEqual([]);
  expect((await callApi("GET /v3/consumers", { token: token ?? "" })).body.consumers).toEqual([]);
});

test("planted differences are found and named, and nothing else", { timeout: RUN_MS }, async () => {
  const proxy = await proxied(api.baseUrl, PLANTS);
  const checks = await conform({
    ...{ baseUrl: proxy.url, phones: true, listen: "127.0.0.1:0", waitSeconds: 20 },
  });
  const different = differentOf(checks);
  const missed = PLANTS.filter(
    ({ found }) => !different.some(({ id, seen }) => id === found.id && found.seen.test(seen)),
  );
  expect(missed.map(({ name }) => name)).toEqual([]);
  const unexplained = different.filter(
    ({ id }) => !PLANTS.some(({ found, alsoFound }) => found.id === id || alsoFound?.test(id) === true),
  );
  expect(unexplained).toEqual([]);
});

test("with --to, an implementation of the specification alone is the same, and only this person is written to, at most 16 times", {
  timeout: RUN_MS,
}, async () => {
  const named = await createTestPhone(account);
  const other = await createTestPhone(account);
  for (const phone of [named, other]) await writeAs(account, phone, { to: account.line, text: "Hi" });
  const { body: before } = await callApi("GET /v3/chats", { token: account.token });
  const sent = new Set<string>();
  const counter = {
    response: (_: unknown, { status, body }: ProxiedResponse) => {
      const isSent = [201, 202].includes(status);
      const id = body?.message?.id ?? body?.chat?.message?.id ?? body?.voice_memo?.id ?? body?.message_id;
      if (isSent && typeof id === "string") sent.add(id);
    },
  };
  const proxy = await proxied(api.baseUrl, [WITHOUT_EXTENSIONS, counter]);
  const notRemoved: string[] = [];
  const checks = await conform({ baseUrl: proxy.url, to: named, left: notRemoved });
  expect([differentOf(checks), notRemoved]).toEqual([[], []]);
  expect(sent.size).toBeGreaterThan(8);
  expect(sent.size).toBeLessThan(17);
  expect(checks.find(({ id }) => id === "lists/GET /v3/messages/{messageId}/thread pages")?.outcome).toBe(
    "skipped",
  );
  expect(checks.some(({ notes = [] }) => notes.join().includes("is missing, which is allowed"))).toBe(true);
  const ofOther = before.chats.find(({ handles }: { handles: { handle: string }[] }) =>
    handles.some(({ handle }) => handle === other),
  );
  const writes = proxy.requests.filter(({ method }) => method !== "GET");
  expect(writes.filter(({ path, body }) => `${path}${JSON.stringify(body)}`.includes(other))).toEqual([]);
  expect(writes.filter(({ path }) => path.includes(ofOther.id))).toEqual([]);
  const handles = writes.flatMap(({ path, body = {} }) => {
    const { from: _, phone_number: __, ...rest } = body;
    const [pathname = ""] = path.split("?");
    return [...`${decodeURIComponent(pathname)} ${JSON.stringify(rest)}`.matchAll(HANDLES)].map(
      ([one]) => one,
    );
  });
  expect([...new Set(handles)].sort()).toEqual([named, "nobody@conform.invalid"].sort());
  const { body } = await callApi(`GET /v3/chats/${ofOther.id}/messages`, { token: account.token });
  expect(body.messages.filter(({ is_from_me }: { is_from_me: boolean }) => is_from_me)).toEqual([]);
  const changes =
    /(background|location(\/\w+)?|typing|read|share_contact_card|leave|participants.*|contact_card.*|phone_numbers\/.+)$/;
  const isAuthorized = ({ headers }: ProxiedRequest) => headers.authorization === `Bearer ${account.token}`;
  expect(writes.filter(isAuthorized).filter(({ path }) => changes.test(path))).toEqual([]);
});

test("Ctrl+C removes what the run created, and the exit code is 130", { timeout: RUN_MS }, async () => {
  const proxy = await proxied(api.baseUrl);
  const isSubscription = (path: string) => /^\/v3\/webhook-subscriptions\/[^/]+$/.test(path);
  proxy.holdRequests(({ method, path }) => method === "GET" && isSubscription(path));
  const { child, output, ended } = cli.launch([
    "conform",
    proxy.url,
    "--only",
    "operations",
    "--timeout",
    "5",
    "--token",
    account.token,
  ]);
  await until(() => proxy.requests.some(({ method, path }) => method === "GET" && isSubscription(path)));
  child.kill("SIGINT");
  const [status] = await ended;
  expect([status, output.stderr]).toEqual([130, "Removing what the run created…\n"]);
  const left = await callApi("GET /v3/webhook-subscriptions", { token: account.token });
  expect(left.body.subscriptions).toEqual([]);
});

describe("a run that can't take place", () => {
  const lines = (response: http.ServerResponse) =>
    response.writeHead(200, { "content-type": "application/json" }).end('{"phone_numbers":[]}');

  test("exits with 2 and says why: the token, the server, the URL, an area", async () => {
    const ended = await listen(() => undefined);
    closeServers();
    const page = await listen((_, response) => response.end("<p>Hello</p>"));
    const token = ["--token", account.token];
    const cases = [
      [["conform", api.baseUrl, "--token", "tl_sandbox_wrong"], /token is not accepted .*2004/],
      [["conform", ended, ...token], /does not respond .*ECONNREFUSED/],
      [["conform", page, ...token], /did not respond as the API does/],
      [["conform", page], /No API token for http.* is sent only to its own URL, http/],
      [["conform", `${page}?a=b`, ...token], /without a query/],
      [["conform", api.baseUrl, "--only", "everything"], /everything is not an area/],
      [["conform", api.baseUrl, "--to", "5550100101"], /E\.164/],
      [["conform", api.baseUrl, "--public-url", "https://example.com"], /needs --listen/],
      [
        ["conform", api.baseUrl, ...token, "--listen", "127.0.0.1:99999"],
        /Can't listen on 127\.0\.0\.1:99999/,
      ],
      [["conform", api.baseUrl, "--listen", "4100", "--public-url", "ftp://a.example"], /not ftp:/],
      [["conform", api.baseUrl, "--spec", "/nonexistent.json"], /can't be read as an OpenAPI document/],
    ] as const;
    const results = await Promise.all(cases.map(([args]) => cli.run(args)));
    results.forEach(({ status, stderr }, index) => {
      expect([index, status, stderr]).toEqual([index, 2, expect.stringMatching(cases[index]?.[1] ?? /^$/)]);
    });
  });

  test("a difference is exit code 1, and the report says what was seen without the token", async () => {
    const url = await listen((_, response) => lines(response));
    const { status, stdout, json } = await cli.run(["conform", url, "--only", "tokens", "--json"], { url });
    expect([status, json().different > 100]).toEqual([1, true]);
    expect(json().checks[0]).toMatchObject({
      outcome: "different",
      seen: "200 in place of 401",
      section: "2.1",
    });
    expect(stdout).not.toContain(account.token);
    const table = await cli.run(["conform", url, "--only", "tokens"], { url });
    expect(table.stdout).toMatch(/^area +passed +different +skipped\ntokens +\d+/);
    expect(table.stdout).toContain("request   GET ");
    const untested = await cli.run(["conform", url, "--only", "sends"], { url });
    expect([untested.status, untested.stderr]).toEqual([
      1,
      "Nothing was tested of sends: needs someone to write to: --phones or --to.\n",
    ]);
  });

  test.each([
    ["hangs", () => undefined, /no whole response within 2 s/],
    [
      "sends a body without end",
      (response: http.ServerResponse) => {
        const more = () => {
          while (response.write(Buffer.alloc(65_536, 97)));
        };
        response.on("drain", more).writeHead(200);
        more();
      },
      /more than 8 MB|no whole response/,
    ],
  ])("ends when the server %s", async (_, respond, reason) => {
    let requests = 0;
    const url = await listen((_request, response) => (++requests > 1 ? respond(response) : lines(response)));
    const checks = await conform({ baseUrl: url, only: ["tokens", "lists"], timeoutSeconds: 2 });
    expect(checks.at(-1)).toMatchObject({ id: "tokens/the end of the area", outcome: "different" });
    expect(checks.at(-1)?.seen).toMatch(reason);
    expect(requests).toBeLessThan(7);
  });
});
