import "@/lib/testing/use-test-database";

import { beforeAll, describe, expect, test } from "vitest";
import { GET as getRequest } from "@/app/api/requests/[requestId]/route";
import { GET as listRequestErrors } from "@/app/api/requests/errors/route";
import { GET as listRequests } from "@/app/api/requests/route";
import { prisma, sql } from "@/lib/platform/database/db";
import { setClock } from "@/lib/platform/time/clock";
import type { RecordedRequest } from "@/lib/request-log/store/write-requests";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { countStatements } from "@/lib/testing/database/count-statements";
import { logTestRequests } from "@/lib/testing/log-test-requests";
import { type DashboardUser, signInAs } from "@/lib/testing/sign-in/sign-in-as";

const CHAT = "01a11111-0000-7000-8000-00000000000a";
const OTHER_CHAT = "01a11111-0000-7000-8000-00000000000b";
const TRACE = "0123456789abcdef0123456789abcdef";
const LINE = "+15550100001";
const HOUR_MS = 3_600_000;

let account: TestAccount;
let developer: DashboardUser;
let stranger: DashboardUser;
let tokenId: string;
let ids: string[];

// Ten types of requests, oldest first.
const KINDS: Partial<RecordedRequest>[] = [
  {},
  { path: `/v3/chats/${CHAT}/messages`, params: { chatId: CHAT }, method: "POST", status: 202 },
  { path: `/api/partner/v3/chats/${OTHER_CHAT}/messages?limit=5`, params: { chatId: OTHER_CHAT } },
  { status: 400, errorCode: 1005 },
  { status: 403, errorCode: 2024 },
  { status: 500, errorCode: 3006 },
  { traceId: TRACE },
  { path: "/v3/chat", params: null, status: 404, errorCode: 1003 },
  { requestBody: `{"from":"${LINE}"}`, method: "POST", status: 201 },
  { path: "/v3/phone_numbers", method: "GET" },
];

beforeAll(async () => {
  account = await createTestAccount({ type: "production" });
  const other = await createTestAccount({ type: "production" });
  developer = await signInAs(account, "developer");
  stranger = await signInAs(other, "admin");
  tokenId = (await prisma().apiToken.findFirstOrThrow({ where: { accountId: account.ref.id } })).id;
  await logTestRequests(other, 5);
  ids = await logTestRequests(account, KINDS.length, (index) => {
    const kind = KINDS[index] ?? {};
    const chatId = kind.params?.chatId ?? null;
    return { ...kind, named: { chatId, messageIds: [], line: null }, ...(index === 9 && { tokenId }) };
  });
});

async function search(query: Record<string, string>) {
  const { status, body } = await developer.call(listRequests, { query });
  expect([status, body.error]).toEqual([200, undefined]);
  return body.requests.map(({ id }: { id: string }) => ids.indexOf(id));
}

describe("the log is narrowed by", () => {
  test.each([
    ["nothing", {}, [9, 8, 7, 6, 5, 4, 3, 2, 1, 0]],
    ["its method", { method: "POST" }, [8, 1]],
    ["a class of status", { status: "2xx" }, [9, 8, 6, 2, 1, 0]],
    ["refusals", { status: "4xx" }, [7, 4, 3]],
    ["failures", { status: "5xx" }, [5]],
    ["an error code", { error_code: "2024" }, [4]],
    ["an endpoint", { path: "/v3/chats/{chatId}/messages" }, [2, 1]],
    ["a path as it was asked for", { path: `/v3/chats/${CHAT}/messages` }, [1]],
    [
      "a path with the alias and a query",
      { path: `/api/partner/v3/chats/${OTHER_CHAT}/messages?limit=5` },
      [2],
    ],
    ["a path that is no endpoint", { path: "/v3/chat" }, [7]],
    ["an unused path", { path: "/v3/nowhere" }, []],
    ["a line", { line: LINE }, [8]],
    ["a trace id", { q: TRACE.toUpperCase() }, [6]],
    ["a chat's id", { q: CHAT }, [1]],
    ["two of these", { method: "POST", status: "2xx", path: "/v3/chats" }, [8]],
  ])("%s", async (_, query, expected) => {
    expect(await search(query)).toEqual(expected);
  });

  test("a token", async () => {
    expect(await search({ token_id: tokenId })).toEqual([9]);
  });

  test("a request's own id", async () => {
    expect(await search({ q: ids[4] ?? "" })).toEqual([4]);
  });

  test("a range of times", async () => {
    const [row] = await prisma().apiRequest.findMany({ where: { id: ids[0] } });
    const at = row?.createdAt.getTime() ?? 0;
    const from = new Date(at - HOUR_MS).toISOString();
    expect(await search({ from, to: new Date(at + HOUR_MS).toISOString() })).toHaveLength(10);
    expect(await search({ from: new Date(at + HOUR_MS).toISOString() })).toEqual([]);
    expect(await search({ to: from })).toEqual([]);
  });

  test("a message's id: what made it and what showed it", async () => {
    const { chatId, messageId } = await account.sendFirst("+15550007777");
    const named = { chatId, messageIds: [messageId], line: null };
    const [made] = await logTestRequests(account, 1, () => ({ named }));

    const { body } = await developer.call(listRequests, { query: { q: messageId } });

    expect(body.requests.map(({ id }: { id: string }) => id)).toEqual([made]);
    await sql.runText({ text: "delete from api_requests where id = $1", values: [made] });
  });
});

test("pages follow each other without a gap, also while new requests come", async () => {
  const seen: number[] = [];
  let cursor: string | null = null;
  do {
    const query: Record<string, string> = { limit: "3", ...(cursor !== null && { cursor }) };
    const { body } = await developer.call(listRequests, { query });
    seen.push(...body.requests.map(({ id }: { id: string }) => ids.indexOf(id)));
    cursor = body.next_cursor;
    await logTestRequests(account, 1, () => ({ path: "/v3/later" }));
  } while (cursor !== null);

  expect(seen).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1, 0]);
  await sql.runText({ text: "delete from api_requests where path = '/v3/later'" });
});

test("an invalid search parameter is 400/1005", async () => {
  const queries: Record<string, string>[] = [
    { q: "hello" },
    { cursor: "AAAA" },
    { method: "BREW" },
    { error_code: "12" },
    { from: "today" },
  ];
  for (const query of queries) {
    const { status, body } = await developer.call(listRequests, { query });
    expect([status, body.error.code]).toEqual([400, 1005]);
  }
});

test("a request shows both sides, its token's name and nothing of another account", async () => {
  const details = await developer.call(getRequest, { params: { requestId: ids[9] ?? "" } });
  expect(details.body).toMatchObject({
    route: "/v3/phone_numbers",
    token: { id: tokenId, name: "test" },
    request: { body: null, size_bytes: 0 },
    response: { body: "{}", size_bytes: 2 },
  });

  const foreign = await stranger.call(getRequest, { params: { requestId: ids[9] ?? "" } });
  expect([foreign.status, foreign.body.error.code]).toEqual([404, 1005]);
  const { body } = await stranger.call(listRequests);
  expect(body.requests).toHaveLength(5);
});

test("errors are grouped by code, with a count, the newest and the fix, within the period", async () => {
  await logTestRequests(account, 4, () => ({ status: 403, errorCode: 2024 }));
  const [newest] = await logTestRequests(account, 1, () => ({
    status: 403,
    errorCode: 2024,
    path: "/v3/chats?last",
  }));

  const { body } = await developer.call(listRequestErrors);
  expect(body.errors.map(({ code, count }: { code: number; count: number }) => [code, count])).toEqual([
    [2024, 6],
    [1003, 1],
    [1005, 1],
    [3006, 1],
  ]);
  expect(body.errors[0]).toMatchObject({ title: expect.stringContaining("stop"), last: { id: newest } });
  for (const { fix, means, doc_url } of body.errors) expect([fix, means, doc_url]).not.toContain("");

  setClock({ offsetMs: 25 * HOUR_MS, frozenAt: null });
  expect((await developer.call(listRequestErrors)).body.errors).toEqual([]);
  expect((await developer.call(listRequestErrors, { query: { period: "7d" } })).body.errors).toHaveLength(4);
  setClock(null);
});

test.each(["admin", "developer", "support", "viewer"] as const)(
  "the role %s may read the log",
  async (role) => {
    const user = await signInAs(account, role);
    for (const route of [listRequests, listRequestErrors]) expect((await user.call(route)).status).toBe(200);
    expect((await user.call(getRequest, { params: { requestId: ids[0] ?? "" } })).status).toBe(200);
  },
);

test("a page takes as many statements for many requests as for one", async () => {
  const cost = (limit: string) => countStatements(() => developer.call(listRequests, { query: { limit } }));
  expect(ids.length).toBeGreaterThan(3);
  expect(await cost("1")).toBe(await cost(String(ids.length - 1)));
});
