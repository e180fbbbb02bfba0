import "@/lib/testing/use-test-database";

import { expect, test } from "vitest";
import * as changes from "@/app/api/account/changes/route";
import * as options from "@/app/api/account/options/route";
import * as line from "@/app/api/lines/[lineId]/route";
import { prisma, sql } from "@/lib/platform/db";
import { createTestAccount } from "@/lib/testing/create-test-account";
import { explainPlans } from "@/lib/testing/explain-plan";
import { signInAs } from "@/lib/testing/sign-in-as";

test("who changed an option or a line is listed, newest first, page by page, and not to another account", async () => {
  const account = await createTestAccount({ type: "sandbox" });
  const admin = await signInAs(account, "admin");
  const { id: lineId } = await prisma().line.findFirstOrThrow({ where: { accountId: account.ref.id } });
  await admin.call(options.PATCH, { method: "PATCH", body: { rcs: false } });
  await admin.call(line.PATCH, { method: "PATCH", params: { lineId }, body: { rcs: false } });

  const developer = await signInAs(account, "developer");
  const first = await developer.call(changes.GET, { query: { limit: "1" } });
  const second = await developer.call(changes.GET, { query: { limit: "1", cursor: first.body.next_cursor } });

  const by = { type: "user", name: "A admin" };
  expect(first.body.changes).toMatchObject([{ action: "line.settings_changed", object: account.line, by }]);
  expect(second.body.changes).toMatchObject([
    { action: "account.options_changed", by, detail: { from: { rcs: true }, to: { rcs: false } } },
  ]);
  const other = await signInAs(await createTestAccount({ type: "sandbox" }), "admin");
  expect(JSON.stringify((await other.call(changes.GET)).body)).not.toContain(account.line);
});

test("however much else is on record, the list is read from an index of its own", async () => {
  const account = await createTestAccount({ type: "sandbox" });
  const developer = await signInAs(account, "developer");
  await sql.query({
    text: `insert into audit_entries (id, account_id, actor_type, action, object_type, created_at)
           select gen_random_uuid(), $1, 'system', 'message.deleted', 'message', now() from generate_series(1, 5000)`,
    values: [account.ref.id],
  });
  await sql.query({ text: "analyze audit_entries" });

  const plans = await explainPlans(() => developer.call(changes.GET));

  const [list] = plans.filter((plan) => plan.includes("audit_entries"));
  expect(list).toContain("audit_entries_settings_idx");
  expect(list).not.toContain("Sort");
});
