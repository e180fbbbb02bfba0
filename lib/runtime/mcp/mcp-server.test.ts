import "@/lib/testing/use-test-database";
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { updateAccountOptions } from "@/lib/identity/accounts/update-account-options";
import { createToken } from "@/lib/identity/tokens/create-token";
import { sql } from "@/lib/platform/database/db";
import { reloadEnv } from "@/lib/platform/env";
import { now } from "@/lib/platform/time/clock";
import { MCP_TOOLS } from "@/lib/runtime/mcp/mcp-tools";
import { startRequestLog } from "@/lib/runtime/monitoring/observe-requests";
import { startWorker, type Worker } from "@/lib/runtime/worker/start-worker";
import { callApi } from "@/lib/testing/call-api";
import { connectMcp } from "@/lib/testing/connect-mcp";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { createTestPhone, writeAs } from "@/lib/testing/factories";
import { serveApi } from "@/lib/testing/serve-api";

let sandbox: TestAccount;
let production: TestAccount;
let worker: Worker;
let api: Awaited<ReturnType<typeof serveApi>>;
const SIMULATOR_TOOLS = MCP_TOOLS.filter(({ sandboxOnly }) => sandboxOnly).map(({ name }) => name);

beforeAll(async () => {
  sandbox = await createTestAccount({ type: "sandbox" });
  production = await createTestAccount({ type: "production" });
  api = await serveApi();
  worker = await startWorker();
});

afterAll(async () => {
  await worker.stop();
  await api.close();
});

const connect = (token: string, older = false) => connectMcp(api.baseUrl, token, { older });

async function tokenOf(account: TestAccount, scopes: ("messaging" | "read_only" | "payments")[]) {
  return (await createToken(account.context(), { name: scopes.join(), scopes })).token;
}

describe("tools", () => {
  test("at most 17, each with a title, a described input and hints", async () => {
    const { tools, close } = await connect(sandbox.token);
    const listed = await tools();
    await close();

    expect(listed.length).toBeLessThanOrEqual(17);
    expect(listed.map(({ name }) => name).sort()).toEqual(MCP_TOOLS.map(({ name }) => name).sort());
    for (const { name, title, description, inputSchema, annotations } of listed) {
      expect(title).toBeTruthy();
      expect(description?.length).toBeGreaterThan(60);
      for (const property of Object.values(inputSchema.properties ?? {})) {
        expect(property).toHaveProperty("description");
      }
      expect(annotations).toMatchObject({ destructiveHint: name === "seek_consumer", openWorldHint: false });
      if (name === "seek_consumer") expect(annotations?.idempotentHint).toBe(false);
      expect(typeof annotations?.readOnlyHint).toBe("boolean");
    }
  });

  test("a client of an older revision gets the same tools and results", async () => {
    const [newer, older] = [await connect(sandbox.token), await connect(sandbox.token, true)];

    expect(await older.tools()).toEqual(await newer.tools());
    expect(await older.call("explain_error", { code: 2024 })).toEqual(
      await newer.call("explain_error", { code: 2024 }),
    );
    expect(newer.client.getNegotiatedProtocolVersion()).toBe("2026-07-28");
    expect(older.client.getNegotiatedProtocolVersion()).not.toBe("2026-07-28");
    await Promise.all([newer.close(), older.close()]);
  });

  test("a production account has none of the simulator's tools, and calling one changes nothing", async () => {
    const { tools, call, close } = await connect(production.token);
    const names = (await tools()).map(({ name }) => name);
    expect(names).not.toEqual(expect.arrayContaining(SIMULATOR_TOOLS));
    expect(SIMULATOR_TOOLS.filter((name) => names.includes(name))).toEqual([]);

    const sent = await call("send_message", { from: production.line, to: ["+15550109999"], text: "hi" });
    expect(sent).toMatchObject({ isError: true, value: { error: { code: 2011 } } });
    const said = await call("phone_says", { phone: "+15550109999", to: production.line, text: "hi" });
    expect(said).toMatchObject({ isError: true, value: { error: { code: 2011 } } });
    const rows = await sql.runText({
      text: "select id from messages where account_id = $1",
      values: [production.ref.id],
    });
    expect(rows).toEqual([]);
    await close();
  });

  test.each([
    ["messaging", ["send_message", "phone_says", "find_chats"], ["replay_deliveries", "search_requests"]],
    [
      "read_only",
      ["find_chats", "search_requests", "search_events", "list_consumers"],
      ["replay_deliveries", "send_message", "poll_consumer", "seek_consumer"],
    ],
    ["payments", ["explain_error", "search_docs"], ["find_chats", "search_events", "send_message"]],
  ] as const)("a token of the scope %s has only its tools", async (scope, has, lacks) => {
    const { tools, call, close } = await connect(await tokenOf(sandbox, [scope]));
    const names = (await tools()).map(({ name }) => name);

    expect(names).toEqual(expect.arrayContaining([...has]));
    expect(lacks.filter((name) => names.includes(name))).toEqual([]);
    const required: Record<string, Record<string, unknown>> = {
      send_message: { from: sandbox.line, to: ["+15550109999"], text: "hi" },
      poll_consumer: { name: "agent" },
      seek_consumer: { name: "agent", after: "now" },
    };
    for (const name of lacks) {
      expect(await call(name, required[name] ?? {})).toMatchObject({
        isError: true,
        value: { error: { code: 2005 } },
      });
    }
    await close();
  });
});

describe("results", () => {
  test("a message in quiet hours waits for their end, and says until when", async () => {
    const { call, close } = await connect(sandbox.token);
    const hour = (ahead: number) => `${String((now().getUTCHours() + 24 + ahead) % 24).padStart(2, "0")}:00`;
    const quiet_hours = { from: hour(-1), to: hour(3), time_zone: "Etc/UTC", action: "hold" as const };
    await updateAccountOptions(sandbox.context(), { body: { quiet_hours } });
    const request = { from: sandbox.line, to: ["+15550107099"], text: "good night" };
    const { value: held } = await call("send_message", request);
    expect(held).toMatchObject({ delivery_status: "pending", send_at: expect.stringContaining(hour(3)) });
    const refused = await call("send_message", { ...request, quiet_hours: "refuse" });
    expect(refused).toMatchObject({ isError: true, value: { error: { code: 2035 } } });
    await updateAccountOptions(sandbox.context(), { body: { quiet_hours: null } });
    await close();
  });

  test("a phone writes, the account replies, and the chat is found with its timeline", async () => {
    const { call, close } = await connect(sandbox.token);
    const said = await call("phone_says", { phone: "+15550107001", to: sandbox.line, text: "is it ready?" });
    const { chat_id } = said.value;
    const sent = await call("send_message", { from: sandbox.line, to: ["+15550107001"], text: "it is" });
    expect(sent.value).toMatchObject({ chat_id, delivery_status: "pending" });

    const { value: found } = await call("find_chats", { search: "5550107001" });
    expect(found.chats).toMatchObject([{ chat_id, participants: ["+15550107001"], line: sandbox.line }]);
    const { value: timeline } = await call("read_timeline", { chat_id });
    expect(timeline.messages).toMatchObject([
      { direction: "outbound", parts: [{ type: "text", text: "it is" }], failure: null },
      { direction: "inbound", parts: [{ type: "text", text: "is it ready?" }], from: "+15550107001" },
    ]);
    await close();
  });

  test("a person who wrote STOP can't be messaged, and the answer says why and what to do", async () => {
    const phone = await createTestPhone(sandbox);
    await writeAs(sandbox, phone, { to: sandbox.line, text: "STOP" });
    const { call, close } = await connect(sandbox.token);
    const { value } = await call("why_cant_i_message", { handle: phone });
    await close();

    const [{ can_send, blockers }] = value.chats;
    expect(can_send).toBe(false);
    expect(blockers[0]).toMatchObject({ reason: "opted_out", code: 2024, action: expect.any(String) });
  });

  test("the logs are searched by trace", async () => {
    const { call, close } = await connect(sandbox.token);
    const phone = await createTestPhone(sandbox);
    await writeAs(sandbox, phone, { to: sandbox.line, text: "trace me" });
    const { value: all } = await call("search_events", { types: ["message.received"], limit: 1 });
    const [{ trace_id, id }] = all.events;
    const { value: traced } = await call("search_events", { q: trace_id });
    expect(traced.events.map((event: { id: string }) => event.id)).toContain(id);
    expect((await call("search_requests", { status: "5xx" })).value.requests).toEqual([]);
    await close();
  });

  test("the documentation is searched for guides, operations, events, errors and faults", async () => {
    const { call, close } = await connect(sandbox.token);
    const titlesOf = async (query: string): Promise<string[]> => {
      const { value } = await call("search_docs", { query });
      return value.sections.map(({ title }: { title: string }) => title);
    };
    expect(await titlesOf("create chat first message")).toContain(
      "POST /v3/chats: Create a chat with its first message",
    );
    expect(await titlesOf("message.failed")).toContain("message.failed");
    expect((await titlesOf("rate limit exceeded"))[0]).toMatch(/1007/);
    expect(await titlesOf("how to verify signature")).toContainEqual(expect.stringMatching(/^Webhooks/));
    await close();
  });

  test("a sandbox triggers events, adds faults and advances the clock", async () => {
    process.env.CLOCK_CONTROL = "1";
    reloadEnv();
    const { call, close } = await connect(sandbox.token);
    const { value: triggered } = await call("trigger_event", { event_type: "message.failed" });
    const { value: found } = await call("search_events", { q: triggered.event_id });
    expect(found.events).toMatchObject([{ id: triggered.event_id, type: "message.failed" }]);

    const fault = { match: { route: "GET /v3/chats" }, effect: { type: "error", code: 4004 } };
    const { value: added } = await call("add_fault", { ...fault, replace: true });
    expect(added.faults).toMatchObject([fault]);
    expect((await callApi("GET /v3/chats", { token: sandbox.token })).body.error.code).toBe(4004);
    await callApi("DELETE /simulator/faults", { token: sandbox.token });

    const { value: clock } = await call("advance_clock", { by: "16m" });
    expect(Math.round(clock.offset_ms / 60_000)).toBe(16);
    await callApi("POST /simulator/clock", { token: sandbox.token, body: { reset: true } });
    await close();
  });

  test("an agent gets the events of a consumer, acknowledges them with its next call, and moves it back", async () => {
    const { call, close } = await connect(sandbox.token);
    const phone = await createTestPhone(sandbox);
    const body = { types: ["message.received"] };
    const { status } = await callApi("PUT /v3/consumers/agent", { token: sandbox.token, body });
    expect(status).toBe(200);
    await writeAs(sandbox, phone, { to: sandbox.line, text: "for the agent" });
    await writeAs(sandbox, phone, { to: sandbox.line, text: "also for the agent" });

    const { value: first } = await call("poll_consumer", { name: "agent" });
    expect(first.events).toMatchObject([
      { envelope: { event_type: "message.received" } },
      { envelope: { event_type: "message.received" } },
    ]);
    expect(await call("poll_consumer", { name: "agent" })).toMatchObject({
      isError: true,
      value: { error: { code: 2033 } },
    });
    expect(await call("poll_consumer", { name: "agent", up_to: "1" })).toMatchObject({
      isError: true,
      value: { error: { code: 1005 } },
    });
    const [{ id: part }, { id: up_to }] = first.events;
    const lease = first.lease.token;
    const invalid = await call("poll_consumer", { name: "agent", up_to: "last", lease });
    expect(invalid.isError).toBe(true);
    const { value: rest } = await call("poll_consumer", { name: "agent", up_to: part, lease });
    expect(rest).toMatchObject({ position: part, events: [], lease: { token: lease } });
    const acknowledged = await call("poll_consumer", { name: "agent", up_to, lease: first.lease.token });
    expect(acknowledged.value).toMatchObject({ events: [], lease: null });
    const { consumers } = (await call("list_consumers", {})).value;
    expect(consumers).toContainEqual(
      expect.objectContaining({ name: "agent", lag: { events: 0, oldest_at: null } }),
    );

    await call("seek_consumer", { name: "agent", after: "oldest" });
    expect((await call("poll_consumer", { name: "agent" })).value.events.at(-1).id).toBe(up_to);
    expect((await call("seek_consumer", { name: "agent", after: "soon" })).isError).toBe(true);
    await callApi("DELETE /v3/consumers/agent", { token: sandbox.token });
    await close();
  });

  test("arguments that do not fit, unknown things and another account's chat are tool errors", async () => {
    const { call, close } = await connect(sandbox.token);
    const { chatId } = await production.sendFirst("+15550107777");

    expect((await call("read_timeline", { chat_id: "no" })).isError).toBe(true);
    expect(await call("explain_error", { code: 9876 })).toMatchObject({
      isError: true,
      value: { error: { code: 1005 } },
    });
    const foreign = await call("read_timeline", { chat_id: chatId });
    expect(foreign).toMatchObject({ isError: true, value: { error: { code: 2005 } } });
    expect(foreign.value.action).toEqual(expect.any(String));
    expect(await call("replay_deliveries", {})).toMatchObject({
      isError: true,
      value: { error: { code: 1005 } },
    });
    await close();
  });
});

describe("the endpoint", () => {
  const post = (body: string, headers: Record<string, string> = {}) =>
    fetch(`${api.baseUrl}/mcp`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${sandbox.token}`,
        "content-type": "application/json",
        ...headers,
      },
      body,
    });

  test.each([
    "*/*",
    "application/*",
    "text/html, */*;q=0.1",
    "application/json, text/event-stream",
    "Application/JSON;q=0.9, TEXT/EVENT-STREAM",
    "text/event-stream",
    "",
  ])("a client that accepts %s gets an answer", async (accept) => {
    const listed = await post(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: {} }), {
      accept,
    });
    expect(listed.status).toBe(200);
    expect(await listed.text()).toContain("explain_error");
  });

  test("a client that accepts only JSON gets JSON, and one that accepts neither type gets 406", async () => {
    const ping = { jsonrpc: "2.0", id: 1, method: "ping" };
    const accept = "application/json";
    const one = await post(JSON.stringify(ping), { accept });
    expect([one.status, one.headers.get("content-type")]).toEqual([200, accept]);
    expect(await one.json()).toEqual({ jsonrpc: "2.0", id: 1, result: {} });
    const two = await post(JSON.stringify([ping, { ...ping, id: 2 }]), { accept });
    expect(await two.json()).toEqual([1, 2].map((id) => ({ jsonrpc: "2.0", id, result: {} })));
    const batchOfOne = await post(JSON.stringify([ping]), { accept });
    expect(await batchOfOne.json()).toEqual([{ jsonrpc: "2.0", id: 1, result: {} }]);
    expect((await post(JSON.stringify(ping), { accept: "text/html" })).status).toBe(406);
  });

  test("a client that accepts only JSON gets a whole answer that contains U+2028 and U+2029", async () => {
    const text = "one\u2028two\u2029three";
    const { call: callTool, close } = await connect(sandbox.token);
    const said = await callTool("phone_says", { phone: "+15550107002", to: sandbox.line, text });
    await close();
    const call = { name: "read_timeline", arguments: { chat_id: said.value.chat_id } };
    const found = await post(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: call }), {
      accept: "application/json",
    });
    expect(JSON.stringify(await found.json())).toContain(text);
  });

  test.each([
    ["broken JSON", '{"jsonrpc":', -32_700],
    ["an empty body", "", -32_700],
    ["another version", '{"jsonrpc":"1.0","id":1,"method":"tools/list"}', -32_600],
    ["an empty batch", "[]", -32_600],
    ["a text", '"tools/list"', -32_600],
  ])("%s gets a JSON-RPC error", async (_what, body, code) => {
    const response = await post(body);
    expect(response.status).toBe(400);
    expect(response.headers.get("x-trace-id")).toBeTruthy();
    expect(await response.json()).toEqual({
      jsonrpc: "2.0",
      id: null,
      error: {
        code,
        message: expect.any(String),
        data: expect.objectContaining({ code: expect.any(Number) }),
      },
    });
  });

  const list = { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} };
  const headers = { accept: "application/json, text/event-stream" };

  test("a page of another site is refused", async () => {
    const answer = await callApi("POST /mcp", {
      token: sandbox.token,
      body: list,
      headers: { ...headers, origin: "https://elsewhere.example" },
    });
    expect(answer).toMatchObject({ status: 403, body: { error: { code: 2005 } } });
  });

  test("a body over 256 KB is refused", async () => {
    const body = { ...list, params: { filler: "x".repeat(256 * 1024) } };
    const answer = await callApi("POST /mcp", { token: sandbox.token, body, headers });
    expect(answer).toMatchObject({ status: 400, body: { error: { code: -32_600, data: { code: 1003 } } } });
  });

  test("calls count toward the requests per minute of the token", async () => {
    const limited = await createTestAccount({ type: "sandbox" });
    await updateAccountOptions(limited.context(), { body: { requests_per_minute: 2 } });
    const statuses: number[] = [];
    for (let call = 0; call < 3; call++) {
      const response = await fetch(`${api.baseUrl}/mcp`, {
        method: "POST",
        headers: { ...headers, authorization: `Bearer ${limited.token}`, "content-type": "application/json" },
        body: JSON.stringify(list),
      });
      statuses.push(response.status);
    }
    expect(statuses).toEqual([200, 200, 429]);
  });

  test("a subscription to changes is refused, because the tools of a token never change", async () => {
    const { client, close } = await connect(sandbox.token);
    await expect(client.listen({ toolsListChanged: true })).rejects.toThrow();
    await close();
  });

  test("the request log has the tool and the error code of a call, without arguments and results", async () => {
    process.env.REQUEST_LOG_DAYS = "30";
    reloadEnv();
    const requestLog = startRequestLog();
    const { call, close } = await connect(sandbox.token);
    await call("read_timeline", { chat_id: "01a00000-0000-7000-8000-00000000dead" });
    await close();
    await requestLog.stop();

    const rows = await sql.runText<{ route: string; error_code: number | null; request_body: string | null }>(
      {
        text: `select route, error_code, request_body, response_body from api_requests
             where account_id = $1 and path = '/mcp' and request_body like '%read_timeline%'`,
        values: [sandbox.ref.id],
      },
    );
    expect(rows).toEqual([
      {
        route: "/mcp",
        error_code: 2001,
        request_body: '{"method":"tools/call","tool":"read_timeline"}',
        response_body: null,
      },
    ]);
  });
});

test("the guide lists every tool with its accounts", () => {
  const guide = readFileSync("docs/site/guides/mcp.md", "utf8");
  const rows = MCP_TOOLS.map(
    ({ name, title, sandboxOnly }) => `| \`${name}\` | ${title} | ${sandboxOnly ? "Sandbox" : "All"} |`,
  );
  expect(
    guide
      .split("\n")
      .filter((line) => line.startsWith("| `"))
      .sort(),
  ).toEqual(rows.sort());
});
