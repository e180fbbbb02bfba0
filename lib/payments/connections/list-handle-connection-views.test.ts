import "@/lib/testing/use-test-database";

import { expect, test } from "vitest";
import {
  ListHandleConnectionViews,
  listHandleConnectionViews,
} from "@/lib/payments/connections/list-handle-connection-views";
import { sql } from "@/lib/platform/database/db";
import { createTestAccount } from "@/lib/testing/create-test-account";
import { explainStatements } from "@/lib/testing/database/explain-statements";

test("a page of customers with one status reads as many customers as it shows, whether they are many or few", async () => {
  const account = await createTestAccount({ type: "sandbox" });
  await sql.runText({
    text: `insert into handle_connections (account_id, provider, handle, status, codes_since, created_at, updated_at)
           select $1, 'servicecard', '+1555' || n, case when n <= 30 then 'pending' else 'connected' end::connection_status,
             now(), now(), now() + n * interval '1 ms'
           from generate_series(1, 5000) n`,
    values: [account.ref.id],
  });
  await sql.runText({ text: "analyze handle_connections" });
  const list = (query: Record<string, string>) =>
    listHandleConnectionViews(account.context(), { query: ListHandleConnectionViews.query.parse(query) });

  for (const [status, newest] of [
    ["connected", "+15555000"],
    ["pending", "+155530"],
  ] as const) {
    const { connections, next_cursor, total } = await list({ status, limit: "10" });
    expect(connections[0]).toMatchObject({ handle: newest, status });
    expect(total).toEqual(
      status === "connected" ? { count: 1000, is_capped: true } : { count: 30, is_capped: false },
    );
    const scans = await explainStatements(() => list({ status, limit: "10", cursor: next_cursor ?? "" }));
    const read = scans.filter(({ on }) => on === "handle_connections").map(({ rows }) => rows);
    expect(Math.max(...read)).toBeLessThanOrEqual(15);
  }
  expect((await list({ status: "connected,revoked", limit: "10" })).connections[0]?.handle).toBe("+15555000");
});
