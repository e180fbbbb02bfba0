import "@/lib/testing/use-test-database";

import { expect, test } from "vitest";
import { hasRows } from "@/lib/platform/database/has-rows";
import { createTestAccount } from "@/lib/testing/create-test-account";
import { explainPlans } from "@/lib/testing/database/explain-plan";
import { recordStatements } from "@/lib/testing/database/record-statements";

/** The tables of the queues, with their conditions. */
const ASKED = [
  ["messages", "dispatch_at is not null"],
  ["webhook_deliveries", "run_at is not null"],
  ["webhook_replays", "run_at is not null"],
  ["chat_actions", "true"],
  ["simulator_messages", "due_at is not null"],
  ["simulator_delayed_messages", "true"],
] as const;

test("hasRows says whether a row fulfills the condition", async () => {
  await createTestAccount({ type: "sandbox" });
  expect(await hasRows("accounts", "archived_at is null")).toBe(true);
  expect(await hasRows("partners", "false")).toBe(false);
});

test("questions at the same time share a statement", async () => {
  await createTestAccount({ type: "sandbox" });
  const sent = await recordStatements(async () => {
    const answers = [...ASKED, ["accounts", "archived_at is null"]].map(([table, condition]) =>
      hasRows(table ?? "", condition ?? ""),
    );
    expect(await Promise.all(answers)).toEqual([...ASKED.map(() => false), true]);
  });
  expect(sent).toHaveLength(1);
});

test.each(ASKED)("hasRows reads %s with %s from an index", async (table, condition) => {
  expect(await hasRows(table, condition)).toBe(false);
  const [plan] = await explainPlans(() => hasRows(table, condition));
  expect(plan).toMatch(/Index (Only )?Scan/);
});
