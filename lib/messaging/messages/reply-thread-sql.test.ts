import "@/lib/testing/use-test-database";

import { expect, test } from "vitest";
import { replyThreadSql } from "@/lib/messaging/messages/reply-thread-sql";
import { ACCEPT_COLUMNS, ACCEPT_MANY, ACCEPT_ONE } from "@/lib/messaging/sending/accept/accept-statement";
import { transaction } from "@/lib/platform/database/db";

async function planOf(text: string, parameters: number): Promise<string> {
  return transaction(async (tx) => {
    await tx.query({ text: `prepare explained as ${text}` });
    const nulls = Array.from({ length: parameters }, () => "null").join(", ");
    const rows = await tx.query<{ "QUERY PLAN": string }>({
      text: `explain (costs off) execute explained(${nulls})`,
    });
    await tx.query({ text: "deallocate explained" });
    return rows.map((row) => row["QUERY PLAN"]).join("\n");
  });
}

test("a plan made while there are no messages looks up the thread by the ID of the message alone", async () => {
  const plan = await planOf(`select ${replyThreadSql("$1::uuid", "$2::jsonb")}`, 2);
  expect(plan).toMatch(/Index Scan using messages_id_idx on messages m\s+Index Cond: \(id = /);
  expect(plan).not.toContain("Index Cond: (account_id");
});

test.each([["one"], ["many"]])("so does the statement that accepts %s", async (variant) => {
  const { text } = variant === "one" ? ACCEPT_ONE : ACCEPT_MANY;
  const plan = await planOf(text, ACCEPT_COLUMNS.length);
  expect(plan).toMatch(
    /Index Scan using messages_id_idx on messages m_\d+\s+Index Cond: \(id = \(\(?\w+\.reply_to ->> 'message_id'/,
  );
});
