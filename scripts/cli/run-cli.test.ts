import "@/lib/testing/use-test-database";
import { globSync } from "node:fs";
import { mkdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { text } from "node:stream/consumers";
import { Webhook } from "standardwebhooks";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { createToken } from "@/lib/identity/tokens/create-token";
import { sql } from "@/lib/platform/database/db";
import { reloadEnv } from "@/lib/platform/env";
import { startRequestLog } from "@/lib/runtime/monitoring/observe-requests";
import { startWorker, type Worker } from "@/lib/runtime/worker/start-worker";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { createTestPhone, writeAs } from "@/lib/testing/factories";
import { serveApi } from "@/lib/testing/serve-api";
import { type Receiver, startReceiver } from "@/lib/testing/servers/start-receiver";
import { version } from "@/package.json";
import { bundleCli } from "@/scripts/cli/bundle-cli";

let account: TestAccount;
let api: Awaited<ReturnType<typeof serveApi>>;
let worker: Worker;
let cli: Awaited<ReturnType<typeof bundleCli>>;
let config: string;
const receivers: Receiver[] = [];

beforeAll(async () => {
  account = await createTestAccount({ type: "sandbox" });
  api = await serveApi();
  worker = await startWorker();
  cli = await bundleCli({ url: api.baseUrl, token: account.token });
  config = cli.config;
});

afterEach(async () => {
  cli.endAll();
  await Promise.all(receivers.splice(0).map((receiver) => receiver.close()));
  await sql.runText({ text: "update webhook_subscriptions set is_active = false, deleted_at = now()" });
});

afterAll(async () => {
  await worker.stop();
  await api.close();
  await cli.remove();
});

const launch: typeof cli.launch = (...call) => cli.launch(...call);
const run: typeof cli.run = (...call) => cli.run(...call);

async function receive(...parameters: Parameters<typeof startReceiver>): Promise<Receiver> {
  const receiver = await startReceiver(...parameters);
  receivers.push(receiver);
  return receiver;
}

/** An instance behind a proxy that passes on everything except acknowledgments. */
async function serveProxy({ onAcknowledgment }: { onAcknowledgment: () => void }) {
  const server = createServer(async (request, response) => {
    if (request.url?.endsWith("/ack")) return onAcknowledgment();
    const { method = "GET", url = "/", headers } = request;
    const passed = await fetch(`${api.baseUrl}${url}`, {
      method,
      headers: { authorization: headers.authorization ?? "", "content-type": "application/json" },
      ...(method !== "GET" && { body: await text(request) }),
    });
    response.writeHead(passed.status, { "content-type": "application/json" }).end(await passed.text());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

async function consumerNames(): Promise<string[]> {
  const { body } = await callApi("GET /v3/consumers", { token: account.token });
  return body.consumers.map(({ name }: { name: string }) => name);
}

async function subscribe(targetUrl: string, events = ["message.received"]) {
  const { status, body } = await callApi("POST /v3/webhook-subscriptions", {
    token: account.token,
    body: { target_url: targetUrl, subscribed_events: events },
  });
  expect(status).toBe(201);
  return body as { id: string; signing_secret: string };
}

async function say(text: string): Promise<void> {
  const phone = await createTestPhone(account);
  await writeAs(account, phone, { to: account.line, text });
}

/** Responds like a server that verifies the signatures of a secret. */
function verifying(secretOf: () => string): Parameters<typeof startReceiver>[0] {
  return (response, count, request) => {
    const receiver = receivers.find(({ url }) => url.includes(String(request.socket.localPort)));
    const { headers, body } = receiver?.received[count - 1] ?? { headers: {}, body: "" };
    try {
      new Webhook(secretOf()).verify(body, headers);
      response.end("ok");
    } catch {
      response.writeHead(401).end();
    }
  };
}

describe("connection", () => {
  test("whoami shows the account and the scopes, as text and as JSON", async () => {
    const text = await run(["whoami"]);
    expect(text).toMatchObject({ status: 0, stderr: "" });
    expect(text.stdout).toContain("main (sandbox)");
    expect(text.stdout).toContain("full access");

    const { status, json } = await run(["whoami", "--json"]);
    expect(status).toBe(0);
    expect(json()).toMatchObject({
      url: api.baseUrl,
      account: { id: account.ref.id, type: "sandbox" },
      token: { name: "test", scopes: [] },
    });
  });

  test.each([
    ["a line end and quotes", (text: string) => ` "${text}"\r\n`],
    ["typographic quotes", (text: string) => `\u201c${text}\u201d`],
  ])("variables with %s around the value are read", async (_what, around) => {
    const { status, stdout } = await run(["whoami"], {
      url: around(api.baseUrl),
      token: around(account.token),
    });
    expect([status, stdout]).toEqual([0, expect.stringContaining("main (sandbox)")]);
  });

  test.each(["--version", "-V"])("%s prints the version", async (option) => {
    const { status, stdout } = await run([option], { token: null });
    expect([status, stdout]).toEqual([0, `${version}\n`]);
  });

  test.each([
    ["no token", ["whoami"], { token: null }, 3, /No API token/],
    ["a token that does not exist", ["whoami"], { token: "tl_sandbox_wrong" }, 3, /2004/],
    [
      "an instance that does not respond",
      ["whoami"],
      { url: "http://127.0.0.1:59999" },
      4,
      /does not respond/,
    ],
    ["an unknown command", ["nothing"], {}, 2, /unknown command/],
    ["an unknown option", ["whoami", "--nothing"], {}, 2, /unknown option/],
    ["a duration that is none", ["logs", "--since", "soon"], {}, 2, /duration/],
    ["a URL that is none", ["whoami", "--url", "here"], {}, 2, /not a URL/],
    ["a URL without a scheme", ["whoami"], { url: "localhost:3000" }, 2, /not a URL with http/],
    ["a URL with a password", ["whoami"], { url: "http://a:b@localhost:3000" }, 2, /user name and password/],
    ["a token cut by an ellipsis", ["whoami"], { token: "tl_sandbox_abc…" }, 2, /contains "…"/],
    ["a recipient and a chat", ["send", "hi", "--to", "+15550100101", "--chat", "x"], {}, 2, /not both/],
    [
      "a line and a chat",
      ["send", "hi", "--from", "+15550100101", "--chat", "x"],
      {},
      2,
      /--from only with --to/,
    ],
    ["no recipient", ["send", "hi"], {}, 2, /Set --to or --chat\./],
    [
      "a scheme that is not http",
      ["listen", "--forward-to", "ftp://localhost/x"],
      {},
      2,
      /http:\/\/ or https/,
    ],
    ["a secret that is none", ["listen", "--forward-to", "4000", "--secret", "nope"], {}, 2, /whsec_/],
    [
      "an unknown version",
      ["listen", "--forward-to", "4000", "--version", "2020-01-01"],
      {},
      2,
      /2026-02-03/,
    ],
    ["an unknown chat", ["send", "hi", "--chat", "01a00000-0000-7000-8000-000000000000"], {}, 1, /2001/],
  ] as const)("%s: the exit code and the message say so", async (_, args, options, status, message) => {
    const result = await run(args, options);
    expect(result.status).toBe(status);
    expect(result.stderr).toMatch(message);
    expect(result.stdout).toBe("");
  });

  test.each([
    [["nothing", "--json"], /unknown command/],
    [["whoami", "--nothing", "--json"], /unknown option/],
    [["logs", "--since", "soon", "--json"], /duration/],
    [["send", "--json"], /missing required argument/],
  ])("with --json, the wrong usage %j is JSON only", async (args, message) => {
    const { status, stdout, stderr } = await run(args);
    expect([status, stdout]).toEqual([2, ""]);
    expect(JSON.parse(stderr)).toEqual({ error: { message: expect.stringMatching(message) } });
  });

  test("a command whose reader has ended ends without a word", async () => {
    const { child, output, ended } = launch(["--help"]);
    child.stdout.destroy();
    expect(await ended).toEqual([0, null]);
    expect(output.stderr).toBe("");
  });

  test("with --json, a failure is JSON with its code and trace ID", async () => {
    const { status, stdout, stderr } = await run(["whoami", "--json"], { token: "tl_sandbox_wrong" });
    expect([status, stdout]).toEqual([3, ""]);
    expect(JSON.parse(stderr)).toMatchObject({
      error: {
        code: 2004,
        status: 401,
        message: expect.any(String),
        trace_id: expect.stringMatching(/^[0-9a-f]{32}$/),
      },
    });
  });

  test("a saved token is used by later commands, readable only by its owner, until it is removed", async () => {
    const saved = await run(["token", "-", "--profile", "mine", "--json"], {
      token: null,
      input: `${account.token}\n`,
    });
    expect(saved.status).toBe(0);
    const { file } = saved.json();
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readFile(file, "utf8")).toContain(account.token);
    expect(saved.stdout).not.toContain(account.token);

    expect((await run(["whoami", "--profile", "mine"], { token: null })).status).toBe(0);
    expect((await run(["whoami"], { token: null })).status).toBe(3);
    expect((await run(["token", "--remove", "--profile", "mine"], { token: null })).status).toBe(0);
    expect((await run(["whoami", "--profile", "mine"], { token: null })).status).toBe(3);
  });

  test("in the directory of an instance, its demo token is used without setup, and for no other URL", async () => {
    await mkdir(path.join(config, ".data"));
    const demo = { base_url: api.baseUrl, token: account.token };
    await writeFile(path.join(config, ".data", "first-run.json"), JSON.stringify(demo));
    expect((await run(["whoami"], { token: null, url: "" })).status).toBe(0);
    expect((await run(["whoami"], { token: null })).status).toBe(0);
    const elsewhere = (url: string) => ({ token: null, url });
    expect((await run(["whoami"], elsewhere("http://other.example.com"))).status).toBe(3);
    const named = api.baseUrl.replace("127.0.0.1", "localhost");
    expect((await run(["whoami"], elsewhere(named))).status).toBe(0);
    await rm(path.join(config, ".data"), { recursive: true });
  });

  test("a token that the instance rejects is not saved", async () => {
    const rejected = await run(["token", "tl_sandbox_wrong", "--profile", "other"], { token: null });
    expect(rejected.status).toBe(3);
    expect((await run(["whoami", "--profile", "other"], { token: null })).status).toBe(3);
  });
});

describe("messages", () => {
  test("a phone writes, the account replies in the chat, and the phone's inbox has the reply", async () => {
    const said = (await run(["phone", "+15550108001", "say", "hello there", "--json"])).json();
    expect(said).toEqual({ chat_id: expect.any(String), message_id: expect.any(String) });
    const more = await run(["phone", "+15550108001", "say", "are you there?", "hello?", "--json"]);
    const lines = more.stdout.trim().split("\n");
    expect(lines.map((line) => JSON.parse(line).chat_id)).toEqual([said.chat_id, said.chat_id]);
    const inbox = (await run(["phone", "+15550108001", "inbox", "--json"])).json().messages;
    const texts = inbox.map(({ parts }: { parts: { value: string }[] }) => parts[0]?.value).reverse();
    expect(texts).toEqual(["hello there", "are you there?", "hello?"]);

    const replied = await run(["send", "hello yourself", "--chat", said.chat_id, "--json"]);
    expect(replied.json()).toMatchObject({ chat_id: said.chat_id, message: { delivery_status: "pending" } });
    const sent = await run(["send", "and again", "--to", "+15550108001", "--from", account.line]);
    expect(sent).toMatchObject({ status: 0 });
    expect(sent.stdout).toContain(said.chat_id);
    expect((await run(["send", "best line", "--to", "+15550108001", "--json"])).json().chat_id).toBe(
      said.chat_id,
    );

    await expect
      .poll(async () => (await run(["phone", "+15550108001", "inbox"])).stdout)
      .toMatch(/hello yourself[\s\S]*hello there|hello there[\s\S]*hello yourself/);
  });

  test("a send that is refused exits with 1 and names the error", async () => {
    await run(["phone", "+15550108002", "say", "STOP"]);
    const { status, stderr } = await run(["send", "hi", "--to", "+15550108002", "--json"]);
    expect(status).toBe(1);
    expect(JSON.parse(stderr).error.code).toBe(2024);
    expect((await run(["send", "hi"])).status).toBe(2);
    expect((await run(["phone", "+15550108002", "dance"])).status).toBe(2);
  });
});

describe("logs and events", () => {
  test("logs shows the requests that match", async () => {
    const requestLog = startRequestLog();
    await callApi("GET /v3/chats/01a00000-0000-7000-8000-00000000beef", { token: account.token });
    await callApi("GET /v3/phone_numbers", { token: account.token });
    await requestLog.stop();

    const failed = await run(["logs", "--status", "4xx", "--since", "1h", "--json"]);
    expect(failed.status).toBe(0);
    const found = failed.json().requests.filter(({ path: at }: { path: string }) => at.endsWith("beef"));
    expect(found).toMatchObject([{ status: 404, error_code: 2001, route: "/v3/chats/{chatId}" }]);
    const traced = await run(["logs", "--search", found[0].trace_id]);
    expect(traced.stdout.trim().split("\n")).toHaveLength(1);
    expect(traced.stdout).toContain("404 2001");
  });

  test("a delivery that failed is listed, and replayed once the endpoint works", async () => {
    let status = 400;
    const receiver = await receive((response) => response.writeHead(status).end());
    const { id } = await subscribe(receiver.url);
    await say("will fail");
    const failed = async () => (await run(["logs", "webhooks", "--failed", "--json"])).json().webhook_logs;
    await expect
      .poll(failed)
      .toMatchObject([{ http_status_code: 400, subscription_id: id, status: "failed" }]);

    status = 200;
    const replayed = await run(["events", "replay", "--failed", "--since", "2h", "--json"]);
    expect(replayed.status).toBe(0);
    expect(replayed.json()).toMatchObject({ total: 1, replays: [{ subscription_id: id, total: 1 }] });
    await expect.poll(() => receiver.received.at(-1)?.headers["x-webhook-replay"]).toBe("true");
    const again = () => run(["events", "replay", "--failed", "--subscription", id, "--json"]);
    await expect.poll(async () => (await again()).stdout).toContain('"total": 0');
  });

  test("a replay that waits is canceled, and then nothing is left to cancel", async () => {
    const receiver = await receive((response) => response.writeHead(400).end());
    const { id } = await subscribe(receiver.url);
    await say("will fail");
    const failed = async () => (await run(["logs", "webhooks", "--failed", "--json"])).json().webhook_logs;
    await expect
      .poll(failed)
      .toContainEqual(expect.objectContaining({ subscription_id: id, status: "failed" }));
    const replay = () => run(["events", "replay", "--failed", "--subscription", id, "--json"]);
    expect((await replay()).json()).toMatchObject({ total: 1 });
    await sql.runText({
      text: "update webhook_replays set state = 'paused', run_at = null, ended_at = null where subscription_id = $1",
      values: [id],
    });
    expect((await replay()).stderr).toContain("cancel it");

    const canceled = await run(["events", "cancel-replay", "--json"]);
    expect(canceled.json()).toMatchObject({ canceled: [{ subscription_id: id, state: "canceled" }] });
    expect((await run(["events", "cancel-replay"])).stdout).toBe("No replay is running.\n");
  });

  test("events tail prints each event as a line of JSON", async () => {
    const { child, output } = launch(["events", "tail", "--types", "message.received", "--json"]);
    await expect.poll(() => output.stderr).toContain("Waiting for events");
    await say("for the tail");
    await expect.poll(() => output.stdout).toContain("for the tail");
    expect(JSON.parse(output.stdout)).toMatchObject({ event_type: "message.received" });
    child.kill("SIGTERM");
  });

  test("a token without the rights for a command gets 3", async () => {
    const { token } = await createToken(account.context(), { name: "send", scopes: ["messaging"] });
    expect((await run(["logs"], { token })).status).toBe(3);
    expect((await run(["events", "replay"], { token })).status).toBe(3);
  });
});

describe("listen", () => {
  test("the next run signs with the same secret and delivers what happened in between", async () => {
    const receiver = await receive();
    const args = [
      "listen",
      "--forward-to",
      receiver.url,
      "--types",
      "message.received",
      "--no-check",
      "--json",
    ];
    const texts = () => receiver.received.map(({ body }) => JSON.parse(body).data.parts[0].value);
    const secretOf = (text: string) => /whsec_\S+/.exec(text)?.[0];

    const first = launch(args);
    await expect.poll(() => first.output.stderr).toMatch(/whsec_/);
    // The name of its consumer is saved before the consumer exists: only this line says that events are followed.
    await expect.poll(() => first.output.stderr).toContain("Starting");
    expect(globSync(`listen/${account.ref.id}-*.json`, { cwd: config })).toHaveLength(1);
    await say("one");
    await expect.poll(texts).toContain("one");
    await expect.poll(() => first.output.stdout).toContain('"status":200');
    first.child.kill("SIGTERM");
    expect(await first.ended).toEqual([0, null]);
    const heard = receiver.received.length;
    await say("in between");

    const second = launch(args);
    await expect.poll(texts).toContain("in between");
    expect(receiver.received).toHaveLength(heard + 1);
    const secret = secretOf(second.output.stderr);
    expect(secret).toBe(secretOf(first.output.stderr));
    const { headers, body } = receiver.received.at(-1) ?? { headers: {}, body: "" };
    expect(() => new Webhook(secret ?? "").verify(body, headers)).not.toThrow();
    await expect
      .poll(() => second.output.stdout)
      .toMatch(/"event_type":"message.received".*"latency_ms":\d+/);
  });

  test("runs that are killed between a post, its response and its acknowledgment skip nothing, and Ctrl+C repeats nothing", async () => {
    let respond: Parameters<typeof startReceiver>[0] = (response) => void response.end();
    const receiver = await receive((...request) => respond?.(...request));
    const texts = () => receiver.received.map(({ body }) => JSON.parse(body).data.parts[0].value);
    const listen = (url?: string) => {
      const args = ["listen", "--forward-to", receiver.url, "--types", "message.received", "--no-check"];
      const listener = launch([...args, "--json"], url === undefined ? {} : { url });
      return { ...listener, follows: () => expect.poll(() => listener.output.stderr).toContain("Starting") };
    };

    const before = await consumerNames();

    const first = listen();
    await first.follows();
    await say("one");
    await expect.poll(() => first.output.stdout).toContain('"status":200');
    respond = () => void first.child.kill("SIGKILL");
    await say("two");
    await first.ended;
    await say("three");

    respond = (response) => void response.end();
    const proxy = await serveProxy({ onAcknowledgment: () => second.child.kill("SIGKILL") });
    const second = listen(proxy.url);
    await second.ended;
    await proxy.close();
    expect(texts()).toEqual(expect.arrayContaining(["one", "two"]));

    const seen = texts().length;
    const third = listen();
    await expect.poll(() => texts().slice(seen).sort()).toEqual(["three", "two"]);
    const isHeld = new Promise<ServerResponse>((resolve) => {
      respond = resolve;
    });
    await say("four");
    const held = await isHeld;
    third.child.kill("SIGINT");
    third.child.kill("SIGINT");
    await expect.poll(() => third.child.exitCode).toBeNull();
    held.end();
    expect(await third.ended).toEqual([0, null]);
    expect(await consumerNames()).toEqual(before);

    respond = (response) => void response.end();
    const fourth = listen();
    await fourth.follows();
    await say("five");
    await expect.poll(() => texts().slice(seen + 2)).toEqual(["four", "five"]);
  });

  test("--consumer keeps the place in the account", async () => {
    const receiver = await receive();
    const args = ["listen", "--forward-to", receiver.url, "--no-check", "--consumer", "laptop"];
    const { child, output, ended } = launch(args);
    await expect.poll(() => output.stdout).toContain("Starting after event");
    child.kill("SIGTERM");
    expect(await ended).toEqual([0, null]);
    expect(await consumerNames()).toContain("laptop");
    await callApi("DELETE /v3/consumers/laptop", { token: account.token });
    expect((await run([...args.slice(0, -1), "listen-mine"])).status).toBe(2);
  });

  test("without a target it explains what is missing", async () => {
    expect(await run(["listen"])).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("--forward-to"),
    });
  });

  test("the output says whether the server verifies signatures", async () => {
    const receiver = await receive();
    const { output } = launch(["listen", "--forward-to", receiver.url]);
    await expect.poll(() => output.stdout).toContain("accepted a wrong signature (200)");
    expect(receiver.received.map(({ headers }) => headers["x-webhook-test"])).toEqual(["true", "true"]);
  });
});

describe("simulator", () => {
  test("an event is triggered and delivered", async () => {
    const receiver = await receive();
    await subscribe(receiver.url, ["message.failed"]);
    const { status, json } = await run(["trigger", "message.failed", "--json"]);
    expect(status).toBe(0);
    expect(json().deliveries).toHaveLength(1);
    await expect
      .poll(() => receiver.received.map(({ headers }) => headers["webhook-id"]))
      .toEqual([json().event_id]);
    expect((await run(["trigger", "message.failed", "--data", "no"])).status).toBe(2);
    expect((await run(["trigger", "message.nothing"])).status).toBe(1);
  });

  test("a fault is added, listed with its counts, and removed", async () => {
    const match = JSON.stringify({ route: "GET /v3/phone_numbers" });
    const effect = JSON.stringify({ type: "error", code: 4004 });
    const added = await run(["fault", "add", "--match", match, "--effect", effect, "--json"]);
    expect(added.status).toBe(0);
    const failing = await callApi("GET /v3/phone_numbers", { token: account.token });
    expect(failing.body.error.code).toBe(4004);

    const listed = await run(["fault", "--json"]);
    expect(listed.json().faults).toMatchObject([{ id: added.json().id, matched: 1, applied: 1 }]);
    expect((await run(["fault", "remove"])).status).toBe(2);
    expect((await run(["fault", "remove", added.json().id])).status).toBe(0);
    expect((await run(["fault", "list"])).stdout).toBe("No faults.\n");
  });

  test("the clock is advanced and returns to the wall clock", async () => {
    process.env.CLOCK_CONTROL = "1";
    reloadEnv();
    const advanced = await run(["clock", "advance", "2h", "--json"]);
    expect(advanced.status).toBe(0);
    expect(Math.round(advanced.json().offset_ms / 60_000)).toBe(120);
    expect((await run(["clock", "freeze", "--json"])).json().frozen).toBe(true);
    expect((await run(["clock", "advance"])).status).toBe(2);
    expect((await run(["clock", "reset", "--json"])).json()).toMatchObject({ frozen: false });
    const reset = (await run(["clock", "--json"])).json();
    expect(Math.abs(reset.offset_ms)).toBeLessThan(60_000);
  });
});

describe("doctor", () => {
  test("a healthy account passes every check, and so does an endpoint that verifies signatures", async () => {
    const secrets: string[] = [];
    const receiver = await receive(verifying(() => secrets[0] ?? ""));
    secrets.push((await subscribe(receiver.url)).signing_secret);
    const { json, status } = await run(["doctor", "--webhooks", "--json"]);

    const { checks } = json();
    const states = Object.fromEntries(
      checks.map((check: { name: string; status: string }) => [check.name, check.status]),
    );
    expect(states).toMatchObject({
      token: "ok",
      clock: "ok",
      lines: "ok",
      webhooks: "ok",
      database: "skip",
      disk: "skip",
    });
    expect(states[`webhook ${receiver.url}`]).toBe("ok");
    expect(status).toBe(json().healthy ? 0 : 5);
  });

  test("an endpoint that accepts wrong signatures fails, and so does one that is away", async () => {
    const careless = await receive();
    await subscribe(careless.url);
    await subscribe("http://127.0.0.1:1/away");
    const { status, stdout } = await run(["doctor", "--webhooks"]);
    expect(status).toBe(5);
    expect(stdout).toMatch(/FAIL {2}webhook http:\/\/127\.0\.0\.1:\d+\/hook: .*accepted a wrong signature/);
    expect(stdout).toMatch(/FAIL {2}webhook http:\/\/127\.0\.0\.1:1\/away/);
  });

  test("without --webhooks nothing is sent", async () => {
    const receiver = await receive();
    await subscribe(receiver.url);
    await run(["doctor"]);
    expect(receiver.received).toEqual([]);
  });

  test("without a token, or without an instance, it fails and says why", async () => {
    const noToken = await run(["doctor"], { token: null });
    expect(noToken.status).toBe(5);
    expect(noToken.stdout).toContain(`FAIL  token: No API token for ${api.baseUrl}. Run \`trunkline token\``);
    const withheld = await run(["doctor", "--url", "http://127.0.0.1:59999"]);
    expect(withheld.stdout).toContain(
      `The known token is sent only to its own URL, ${api.baseUrl}. Pass --token.`,
    );
    const away = await run(["doctor"], { url: "http://127.0.0.1:59999" });
    expect(away.status).toBe(5);
    expect(away.stdout).toMatch(/FAIL {2}instance: .*does not respond/);
  });
});
