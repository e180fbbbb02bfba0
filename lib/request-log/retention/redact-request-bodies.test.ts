import "@/lib/testing/use-test-database";
import { expect, test } from "vitest";
import { sql, transaction } from "@/lib/platform/database/db";
import { redactRequestBodies } from "@/lib/request-log/retention/redact-request-bodies";
import { createTestAccount } from "@/lib/testing/create-test-account";
import { explainStatements } from "@/lib/testing/database/explain-statements";

const REQUESTS = 10_000;
const BATCH = 500;
const CHAT = "01a11111-0000-7000-8000-00000000000a";

/** SQL: the id of the n-th message or request; one of each every 50 ms, the message 1 ms after the request that created it. */
function idSql(n: string, letter: "a" | "b"): string {
  const laterMs = letter === "b" ? 1 : 0;
  return `(lpad(to_hex(1790000000000 + (${n}) * 50 + ${laterMs}), 12, '0') || '7000800000000000000${letter}')::uuid`;
}

// One request created each message. Every tenth request of another 1,000 lists three messages, the others edit one: all
// of them long after the message was created.
test("erasing messages of a busy chat reads only the requests of their time and those that name them", async () => {
  const account = await createTestAccount({ type: "production" });
  await sql.runText({
    text: `insert into api_requests (account_id, id, token_id, method, path, status, latency_ms, chat_id, message_ids,
             trace_id, headers, request_bytes, response_bytes, created_at, request_body)
           select $1, ${idSql("n", "a")}, $1, 'POST', '/v3/x', 200, 1, $3, case
               when n <= $2 then array[${idSql("n", "b")}]
               when n % 10 = 0 then array[${idSql("n - $2", "b")}, ${idSql("n - $2 + 1", "b")}, ${idSql("n - $2 + 2", "b")}]
               else array[${idSql("n - $2", "b")}] end,
             md5(n::text), '{}', 0, 0, to_timestamp(1790000000 + n * 0.05), 'secret'
           from generate_series(1, $2::int + 1000) n`,
    values: [account.ref.id, REQUESTS, CHAT],
  });
  await sql.runText({ text: "analyze api_requests" });
  const messages = await sql.runText<{ id: string }>({
    text: `select ${idSql("n", "b")} as id from generate_series(301, 300 + ${BATCH}::int) n`,
    values: [],
  });
  const messageIds = messages.map(({ id }) => id);

  const scans = await explainStatements(() =>
    transaction((tx) => redactRequestBodies(tx, account.ref.id, messageIds)),
  );

  const [left] = await sql.runText<{ naming: number; others: number }>({
    text: `select count(*) filter (where message_ids && $2::uuid[])::int as naming, count(*)::int as others
           from api_requests where account_id = $1 and request_body is not null`,
    values: [account.ref.id, messageIds],
  });
  // The list that begins two messages before the first of the batch shows that one too.
  const emptied = BATCH + BATCH + 1;
  expect(left).toEqual({ naming: 0, others: REQUESTS + 1000 - emptied });
  const read = scans.filter(({ on }) => on === "api_requests").map(({ rows }) => rows);
  expect(read).not.toEqual([]);
  expect(read.reduce((sum, rows) => sum + rows, 0)).toBeLessThan(4 * BATCH);
});
