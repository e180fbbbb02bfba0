import "@/lib/testing/use-test-database";

import { beforeAll, expect, test } from "vitest";
import { sql } from "@/lib/platform/database/db";
import { ListRequests, listRequests } from "@/lib/request-log/search/list-requests";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { explainPlans } from "@/lib/testing/database/explain-plan";
import { explainStatements } from "@/lib/testing/database/explain-statements";

const REQUESTS = 20_000;
const TOKEN = "01a00000-0000-7000-8000-00000000000a";
const OLD_TOKEN = "01a00000-0000-7000-8000-00000000000b";
const CHAT = "01a11111-0000-7000-8000-00000000000a";
const OLD_TRACE = "0123456789abcdef0123456789abcdef";
/** Requests of a block: the ids of 65.5 seconds, with a request every 50 ms. */
const BLOCK = 1311;

let account: TestAccount;

// The first tenth has a method, a route, a token and a line that the others do not have.
beforeAll(async () => {
  account = await createTestAccount({ type: "production" });
  await sql.runText({
    text: `insert into api_requests (account_id, id, token_id, method, route, path, status, latency_ms, line, chat_id,
             message_ids, trace_id, headers, request_bytes, response_bytes, created_at)
           select $1, (lpad(to_hex(1790000000000 + n * 50), 12, '0') || '7000800000000000000' || to_hex(n % 16))::uuid,
             case when is_old then $4::uuid else $3::uuid end, case when is_old then 'DELETE' else 'POST' end,
             case when is_old then '/v3/old' else '/v3/new' end, '/v3/x', 200, 1,
             case when is_old then '+15550100002' else '+15550100001' end, case when n % 100 = 0 then $5::uuid end, '{}',
             case when n = 100 then $6 else md5(n::text) end, '{}', 0, 0, to_timestamp(1790000000 + n * 0.05)
           from (select n, n <= $2 / 10 as is_old from generate_series(1, $2::int) n) numbered`,
    values: [account.ref.id, REQUESTS, TOKEN, OLD_TOKEN, CHAT, OLD_TRACE],
  });
  await sql.runText({ text: "analyze api_requests" });
});

function search(query: Record<string, string>, cursor: string | null = null) {
  const parsed = ListRequests.query.parse({ ...query, ...(cursor && { cursor }) });
  return listRequests(account.context(), { query: parsed });
}

test.each([
  ["a method", { method: "POST" }, "api_requests_method_idx", BLOCK],
  ["a method of old requests only", { method: "DELETE" }, "api_requests_method_idx", BLOCK],
  ["a route", { path: "/v3/new" }, "api_requests_route_idx", BLOCK],
  ["a route of old requests only", { path: "/v3/old" }, "api_requests_route_idx", BLOCK],
  ["a token", { token_id: TOKEN }, "api_requests_token_idx", BLOCK],
  ["a token of old requests only", { token_id: OLD_TOKEN }, "api_requests_token_idx", BLOCK],
  ["a line", { line: "+15550100001" }, "api_requests_line_idx", BLOCK],
  ["a line with old requests only", { line: "+15550100002" }, "api_requests_line_idx", BLOCK],
  ["a chat", { q: CHAT }, "api_requests_account_id_chat_id_idx", REQUESTS / 100],
])("a page of %s reads the index, and at most a block", async (_filter, query, index, most) => {
  const first = await search({ limit: "10", ...query });
  // The first page also counts the requests.
  const second = () => search({ limit: "10", ...query }, first.next_cursor);
  const plans = await explainPlans(second);
  expect(plans.filter((plan) => plan.includes(index))).not.toEqual([]);

  const scans = (await explainStatements(second)).filter(({ on }) => on === "api_requests");
  expect(Math.max(...scans.map(({ rows }) => rows))).toBeGreaterThan(10);
  expect(Math.max(...scans.map(({ rows }) => rows))).toBeLessThanOrEqual(most);
});

test.each([
  ["5xx", 10],
  ["4xx", 10],
])("a page of %s reads no other failed requests", async (status, limit) => {
  // Every fifth request failed, and only the 30 oldest with 5xx.
  await sql.runText({
    text: `update api_requests r set status = case when n <= 30 then 503 else 404 end
           from (select id, row_number() over (order by id) as n from api_requests where account_id = $1) numbered
           where r.account_id = $1 and r.id = numbered.id and (n <= 30 or n % 5 = 0)`,
    values: [account.ref.id],
  });
  const first = await search({ status, limit: String(limit) });
  expect(new Set(first.requests.map((request) => Math.floor(request.status / 100)))).toEqual(
    new Set([Number(status[0])]),
  );
  const scans = await explainStatements(() => search({ status, limit: String(limit) }, first.next_cursor));
  const read = scans.filter(({ on }) => on === "api_requests").map(({ rows }) => rows);
  expect(Math.max(...read)).toBe(limit + 1);
});

test("a trace of old requests only is found by its index", async () => {
  const plans = await explainPlans(() => search({ q: OLD_TRACE }));
  expect(plans.filter((plan) => plan.includes("api_requests_trace_idx"))).not.toEqual([]);
  expect((await search({ q: OLD_TRACE })).requests).toHaveLength(1);
});

test.each([
  ["method", { method: "DELETE" }, "method = 'DELETE'"],
  ["chat", { q: CHAT }, `chat_id = '${CHAT}'`],
  ["line and method", { line: "+15550100002", method: "DELETE" }, "line = '+15550100002'"],
  [
    "token and times",
    { token_id: TOKEN, from: "2026-09-21T14:20:00Z", to: "2026-09-21T14:24:30Z" },
    `token_id = '${TOKEN}' and created_at >= '2026-09-21T14:20:00Z' and created_at < '2026-09-21T14:24:30Z'`,
  ],
])("pages of a %s are newest first, without a gap or a repeat", async (_filter, query, matching) => {
  const seen: string[] = [];
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof search>> = await search({ ...query, limit: "200" }, cursor);
    seen.push(...page.requests.map(({ id }) => id));
    cursor = page.next_cursor;
  } while (cursor !== null);

  const rows = await sql.runText<{ id: string }>({
    text: `select id from api_requests where account_id = $1 and ${matching} order by id desc`,
    values: [account.ref.id],
  });
  expect(rows.length).toBeGreaterThan(100);
  expect(seen).toEqual(rows.map(({ id }) => id));
});
