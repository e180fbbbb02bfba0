import "@/lib/testing/use-test-database";

import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeAll, expect, test } from "vitest";
import { updateAccountOptions } from "@/lib/identity/accounts/update-account-options";
import { prisma, sql } from "@/lib/platform/database/db";
import { now, setClock } from "@/lib/platform/time/clock";
import { readBodies } from "@/lib/request-log/search/read-bodies";
import { toLoggedHeaders } from "@/lib/request-log/store/logged-headers";
import { writeRequests } from "@/lib/request-log/store/write-requests";
import { startRequestLog } from "@/lib/runtime/monitoring/observe-requests";
import { callApi } from "@/lib/testing/call-api";
import { uploadWav } from "@/lib/testing/call-files";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { countStatements } from "@/lib/testing/database/count-statements";
import { createDirectChat, createTestPhone } from "@/lib/testing/factories";
import { createLogEntries } from "@/lib/testing/log-test-requests";
import { until } from "@/lib/testing/until";

const PHONE = "+15550009999";

let account: TestAccount;
let stop = async () => {};

beforeAll(async () => {
  account = await createTestAccount({ type: "production" });
});

afterEach(async () => {
  setClock(null);
  await stop();
  await sql.runText({ text: "truncate api_requests" });
});

/** For requests to unknown paths, the caller is looked up after the response. */
const untilRows = (count: number) => until(async () => (await prisma().apiRequest.count()) === count);

/** Logs the requests that `work` sends and returns the rows once they are written, with headers and bodies as logged. */
async function logged(work: () => Promise<unknown>) {
  const requestLog = startRequestLog();
  stop = requestLog.stop;
  await work();
  await requestLog.stop();
  const rows = await prisma().apiRequest.findMany({
    where: { accountId: account.ref.id },
    orderBy: { id: "asc" },
  });
  return rows.map((row) => {
    const { request: requestBody, response: responseBody } = readBodies({
      request_body: row.requestBody,
      response_body: row.responseBody,
      body_form: row.bodyForm,
      chat_id: row.chatId,
      message_ids: row.messageIds,
      trace_id: row.traceId,
      line: row.line,
    });
    return { ...row, headers: toLoggedHeaders(row.headers), requestBody, responseBody };
  });
}

test("a send is logged with all it names, and with both bodies", async () => {
  const { chatId } = await account.sendFirst(PHONE);
  const body = { message: { parts: [{ type: "text", value: "what was said" }] } };

  const [row, ...others] = await logged(() =>
    callApi(`POST /api/partner/v3/chats/${chatId}/messages?dry=1`, {
      token: account.token,
      body,
      headers: { "user-agent": "Linq/JS 0.28.2", "x-stainless-retry-count": "1" },
    }),
  );

  expect(others).toEqual([]);
  expect(row).toMatchObject({
    method: "POST",
    route: "/v3/chats/{chatId}/messages",
    path: `/api/partner/v3/chats/${chatId}/messages?dry=1`,
    status: 202,
    errorCode: null,
    line: account.line,
    chatId,
    userAgent: "Linq/JS 0.28.2",
    address: null,
    requestBody: JSON.stringify(body),
  });
  expect(row?.headers).toMatchObject({ request: { "x-stainless-retry-count": "1" } });
  expect(JSON.stringify(row?.headers)).not.toContain("Bearer");
  const answer = JSON.parse(row?.responseBody ?? "");
  expect(answer.message.parts[0].value).toBe("what was said");
  expect(row?.messageIds).toEqual([answer.message.id]);
  expect(row?.latencyMs).toBeGreaterThan(0);
});

test("refusals are logged with their code: malformed, not found, foreign, unknown path, wrong method, ours", async () => {
  const { token } = account;
  const other = await createTestAccount({ type: "production" });
  const { chatId } = await other.sendFirst(PHONE);
  const unknown = "01a00000-0000-7000-8000-000000000000";

  const rows = await logged(async () => {
    await callApi("POST /v3/chats", { token, body: '{"from":"+15550000001","to":' });
    await callApi(`GET /v3/chats/${unknown}`, { token });
    await callApi(`GET /v3/chats/${chatId}`, { token });
    await callApi("GET /v3/chat", { token });
    await callApi("PATCH /v3/chats", { token, body: {} });
    await sql.runText({ text: "alter table lines rename to lines_away" });
    await callApi("GET /v3/phone_numbers", { token });
    await sql.runText({ text: "alter table lines_away rename to lines" });
    await untilRows(6);
  });

  const seen = rows.map(({ route, status, errorCode, line }) => [route, status, errorCode, line]);
  expect(seen).toEqual(
    expect.arrayContaining([
      ["/v3/chats", 400, 1003, "+15550000001"],
      ["/v3/chats/{chatId}", 404, 2001, null],
      ["/v3/chats/{chatId}", 403, 2005, null],
      [null, 404, 1003, null],
      [null, 405, 1003, null],
      ["/v3/phone_numbers", 500, 3006, null],
    ]),
  );
  expect(rows).toHaveLength(6);
  expect(rows.every(({ responseBody, traceId }) => responseBody?.includes(traceId))).toBe(true);
});

test("calls of a known token that are not let in are logged: over the limit, of an expired account", async () => {
  const { token } = account;
  const sendRequest = () => callApi(`GET /v3/chats/${crypto.randomUUID()}`, { token });
  const context = account.context();
  await updateAccountOptions(context, { body: { requests_per_minute: 1 } });
  // Starts at a full minute, so that a test of the limit does not run into the next one.
  const minute = Math.ceil(now().getTime() / 60_000) * 60_000;
  setClock({ offsetMs: 0, frozenAt: new Date(minute + 1000) });

  const rows = await logged(async () => {
    await sendRequest();
    await sendRequest();
    await callApi("GET /v3/nowhere", { token });
    await updateAccountOptions(context, { body: { expires_at: now().toISOString() } });
    await sendRequest();
    await untilRows(4);
  });
  setClock(null);
  await updateAccountOptions(context, { body: { requests_per_minute: null, expires_at: null } });

  const seen = rows.map(({ route, status, errorCode }) => [route, status, errorCode]);
  expect(seen).toHaveLength(4);
  expect(seen).toEqual(
    expect.arrayContaining([
      ["/v3/chats/{chatId}", 404, 2001],
      ["/v3/chats/{chatId}", 429, 1007],
      [null, 404, 1003],
      ["/v3/chats/{chatId}", 403, 2005],
    ]),
  );
  expect(rows.find(({ status }) => status === 429)?.headers).toMatchObject({
    answer: { "retry-after": expect.any(String) },
  });
});

test("a voice memo's call is tied to its message, chat and line", async () => {
  const sandbox = await createTestAccount({ type: "sandbox" });
  const { token } = sandbox;
  const chatId = await createDirectChat(sandbox, await createTestPhone(sandbox));
  const { attachment_id } = await uploadWav(token);
  const requestLog = startRequestLog();
  stop = requestLog.stop;

  const { status, body } = await callApi(`POST /v3/chats/${chatId}/voicememo`, {
    token,
    body: { attachment_id },
  });
  await requestLog.stop();

  const [row] = await prisma().apiRequest.findMany({ where: { accountId: sandbox.ref.id } });
  expect([status, row?.status]).toEqual([202, 202]);
  expect([row?.messageIds, row?.chatId, row?.line]).toEqual([[body.voice_memo.id], chatId, sandbox.line]);
});

test("a call without a valid token is counted but not logged", async () => {
  const requestLog = startRequestLog();
  await callApi("GET /v3/chats", { token: null });
  await callApi("GET /v3/chats", { token: `tl_sandbox_${"x".repeat(38)}` });
  await callApi("GET /v3/nowhere", { token: null });
  await sleep(50);
  await requestLog.stop();

  expect(requestLog.unattributed).toBe(3);
  expect(await prisma().apiRequest.count()).toBe(0);
});

test("the simulator's and the dashboard's own calls are not logged", async () => {
  const rows = await logged(async () => {
    await callApi("GET /simulator/phones", { token: account.token });
  });

  expect(rows).toEqual([]);
});

test("secrets of requests and answers are not in the database", async () => {
  const card = "4242 4242 4242 4242";
  const rows = await logged(async () => {
    const { body } = await callApi("POST /v3/webhook-subscriptions?token=in-the-query", {
      token: account.token,
      body: {
        target_url: "https://example.com/hook",
        subscribed_events: ["message.sent"],
        password: "in-the-body",
        note: `card ${card}`,
      },
    });
    expect(body.signing_secret).toEqual(expect.any(String));
  });

  const stored = JSON.stringify(rows);
  expect(rows).toHaveLength(1);
  expect(JSON.parse(rows[0]?.responseBody ?? "").signing_secret).toBe("[redacted]");
  expect(stored).not.toMatch(/in-the-query|in-the-body|4242 4242|whsec_/);
  expect(stored).not.toContain(account.token);
});

test("the first 8 KB of a long body are kept, with its length", async () => {
  const { chatId } = await account.sendFirst(PHONE);
  const value = "漢".repeat(9000);
  const body = { message: { parts: [{ type: "text", value }] } };

  const [row] = await logged(() =>
    callApi(`POST /v3/chats/${chatId}/messages`, { token: account.token, body }),
  );

  const sent = JSON.stringify(body);
  expect(row?.requestBytes).toBe(Buffer.byteLength(sent));
  expect(sent.startsWith(row?.requestBody ?? "?")).toBe(true);
  expect(Buffer.byteLength(row?.requestBody ?? "")).toBeGreaterThan(8189);
});

test("when the log cannot be written every response is given, and the rows wait", async () => {
  const { token } = account;
  const requestLog = startRequestLog();
  stop = requestLog.stop;
  await sql.runText({ text: "alter table api_requests rename to api_requests_away" });
  for (let batch = 0; batch < 5; batch++) {
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => callApi("GET /v3/phone_numbers", { token })),
    );
    expect(answers.every(({ status }) => status === 200)).toBe(true);
  }
  await sleep(100);
  await sql.runText({ text: "alter table api_requests_away rename to api_requests" });

  await requestLog.stop();

  expect(await prisma().apiRequest.count()).toBe(500);
});

test("rows the database refuses are given up, so that others are written", async () => {
  const { token } = account;
  await sql.runText({
    text: `create function refuse() returns trigger language plpgsql as
           $$ begin raise exception 'bad' using errcode = '22021'; end $$`,
  });
  await sql.runText({
    text: `create trigger refuse before insert on api_requests for each row
           when (new.path like '%refused') execute function refuse()`,
  });
  const requestLog = startRequestLog();
  stop = requestLog.stop;
  await callApi("GET /v3/phone_numbers?refused", { token });
  await sleep(1500);
  await callApi("GET /v3/phone_numbers?taken", { token });
  await requestLog.stop();
  await sql.runText({ text: "drop function refuse cascade" });

  const rows = await prisma().apiRequest.findMany();
  expect(rows.map(({ path }) => path)).toEqual(["/v3/phone_numbers?taken"]);
});

test("rows that were written before are not written twice, and keep none of the others out", async () => {
  const requests = createLogEntries(account, 3);
  await writeRequests(requests.slice(0, 2));
  await writeRequests(requests);

  expect(await prisma().apiRequest.count()).toBe(3);
});

test("a send still is two statements, with the log on", async () => {
  const { chatId } = await account.sendFirst(PHONE);
  const requestLog = startRequestLog();
  stop = requestLog.stop;

  const statements = await countStatements(() =>
    callApi(`POST /v3/chats/${chatId}/messages`, {
      token: account.token,
      body: { message: { parts: [{ type: "text", value: "two" }] } },
    }),
  );

  expect(statements).toBe(2);
});
