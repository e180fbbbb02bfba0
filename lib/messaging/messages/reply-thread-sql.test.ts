import "@/lib/testing/use-test-database";

import { expect, test } from "vitest";
import { replyThreadSql } from "@/lib/messaging/messages/reply-thread-sql";
import { ACCEPT_MANY, ACCEPT_ONE } from "@/lib/messaging/sending/accept/accept-statement";
import { transaction } from "@/lib/platform/database/db";

async function planOf(text: string, parameters: number): Promise<string> {
  return transaction(async (tx) => {
    await tx.runText({ text: `prepare explained as ${text}` });
    const nulls = Array.from({ length: parameters }, () => "null").join(", ");
    const rows = await tx.runText<{ "QUERY PLAN": string }>({
      text: `explain (costs off) execute explained(${nulls})`,
    });
    await tx.runText({ text: "deallocate explained" });
    return rows.map((row) => row["QUERY PLAN"]).join("\n");
  });
}

test("a plan made while there are no messages looks up the thread by the ID of the message alone", async () => {
  const plan = await planOf(`select ${replyThreadSql("$1::uuid", "$2::jsonb")}`, 2);
  expect(plan).toMatch(/Index Scan using messages_id_idx on messages m\s+Index Cond: \(id = /);
  expect(plan).not.toContain("Index Cond: (account_id");
});

test.each([["one"], ["many"]])("the statement that accepts %s does so too", async (variant) => {
  const { text, parameters } = variant === "one" ? ACCEPT_ONE : ACCEPT_MANY;
  const plan = await planOf(text, parameters.length);
  expect(plan).toMatch(
    /Index Scan using messages_id_idx on messages m_\d+\s+Index Cond: \(id = \(\(?\w+\.reply_to ->> 'message_id'/,
  );
});
