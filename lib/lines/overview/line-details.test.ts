import "@/lib/testing/use-test-database";

import { beforeEach, expect, test } from "vitest";
import * as line from "@/app/api/lines/[lineId]/route";
import * as status from "@/app/api/lines/[lineId]/status/route";
import * as audits from "@/app/api/phone-numbers/[phoneNumber]/reputation-audits/route";
import { createLine } from "@/lib/lines/lines/create-line";
import { getLineView } from "@/lib/lines/overview/get-line-view";
import { readChatTallies } from "@/lib/lines/overview/line-chats";
import { evaluateLines } from "@/lib/lines/reputation/evaluate-lines";
import { prisma, sql } from "@/lib/platform/database/db";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { countStatements } from "@/lib/testing/database/count-statements";
import { explainPlans } from "@/lib/testing/database/explain-plan";
import { explainStatements } from "@/lib/testing/database/explain-statements";
import { createDirectChat, createTestPhone, writeAs } from "@/lib/testing/factories";
import { type DashboardUser, signInAs } from "@/lib/testing/sign-in/sign-in-as";

let account: TestAccount;
let admin: DashboardUser;
let lineId: string;

beforeEach(async () => {
  account = await createTestAccount({ type: "sandbox" });
  admin = await signInAs(account, "admin");
  lineId = (await prisma().line.findFirstOrThrow({ where: { accountId: account.ref.id } })).id;
});

const read = (user = admin, id = lineId) => user.call(line.GET, { params: { lineId: id } });
const flag = (to: string, user = admin, id = lineId) =>
  user.call(status.PUT, { method: "PUT", params: { lineId: id }, body: { status: to } });

test("a line with very many chats shows the counts of its last evaluation, and its chats are not read", async () => {
  const chatId = await createDirectChat(account, await createTestPhone(account));
  await sql.runText({
    text: `insert into chats (account_id, id, line_id, line_type, is_group, health_status, health_updated_at, last_activity_at,
             created_at, updated_at)
           select c.account_id, ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, c.line_id, c.line_type, false,
             case when n % 4 = 0 then 'AT_RISK' when n % 5 = 0 then 'CRITICAL' else 'HEALTHY' end::health_status,
             now(), now(), now(), now()
           from chats c, generate_series(1, 3000) n where c.id = $1`,
    values: [chatId],
  });
  await sql.runText({ text: "analyze chats" });
  const details = () => getLineView(account.context(), { params: { lineId } });
  const chatsRead = async () =>
    Math.max(...(await explainStatements(details)).flatMap(({ on, rows }) => (on === "chats" ? rows : [])));
  const counts = { healthy: 1801, at_risk: 750, critical: 450, opted_out: 0 };
  expect((await details()).chats).toEqual(counts);
  expect(await chatsRead()).toBe(3001);

  await evaluateLines(new AbortController().signal);
  expect((await details()).chats).toEqual(counts);
  expect(await chatsRead()).toBeLessThanOrEqual(1);

  const other = await createLine(account.ref, {
    ...{ phoneNumber: "+15557770001", lineType: "iMessage", transport: "simulator" },
  });
  await sql.runText({ text: "analyze lines" });
  const plans = await explainPlans(() => readChatTallies(account.context(), other.id));
  expect(plans.join("\n")).toMatch(/Index Scan using chats_account_id_line_id\w+ on chats/);
});

test("a line's page has its chats by health, thirty days and new chats, in as many statements for many chats", async () => {
  await createDirectChat(account, await createTestPhone(account));
  const one = await countStatements(() => read());
  const phone = await createTestPhone(account);
  await createDirectChat(account, phone);
  await writeAs(account, phone, { to: account.line, text: "STOP" });

  const { status, body } = await read();

  expect(status).toBe(200);
  expect(body.chats).toEqual({ healthy: 1, at_risk: 0, critical: 0, opted_out: 1 });
  expect(body.days).toHaveLength(30);
  expect(body.days.at(-1)).toMatchObject({ received: 3, sent: 0, new_chats: 2 });
  expect(body.days[0]).toMatchObject({ received: 0, new_chats: 0 });
  expect(await countStatements(() => read())).toBe(one);
});

test("audits are its history, and say from when another may be asked for", async () => {
  const params = { phoneNumber: account.line };
  const asked = await admin.call(audits.POST, { method: "POST", params });
  expect(asked.status).toBe(202);
  const running = (await read()).body;
  expect(running.audits).toMatchObject([
    { audit_id: asked.body.audit_id, status: "pending", severity: null },
  ]);
  expect(running.audit_free_at).toBeNull();

  await sql.runText({
    text: "update reputation_audits set status = 'complete' where account_id = $1",
    values: [account.ref.id],
  });

  const freeAt = Date.parse((await read()).body.audit_free_at);
  expect(freeAt - Date.now()).toBeGreaterThan(3_500_000);
  const support = await signInAs(account, "support");
  expect((await support.call(audits.POST, { method: "POST", params })).status).toBe(403);
});

test("an operator flags a line and clears it, and the page says by whom; an admin of the account can't", async () => {
  const operator = await signInAs(account, "viewer", { isOperator: true });
  expect((await flag("FLAGGED", operator)).body).toMatchObject({ id: lineId, status: "FLAGGED" });
  expect((await read()).body).toMatchObject({ status: "FLAGGED", flagged_by: "operator" });

  expect((await flag("ACTIVE", operator)).body.status).toBe("ACTIVE");
  const cleared = (await read()).body;
  expect(cleared).toMatchObject({ flagged_by: null, flagged_at: null });
  expect(Date.parse(cleared.auto_flag_paused_until)).toBeGreaterThan(Date.now());

  expect((await flag("FLAGGED", admin)).status).toBe(403);
  expect((await read()).body.status).toBe("ACTIVE");
});

test("another account's line is refused, an unknown one is not found", async () => {
  const theirs = await createTestAccount({ type: "sandbox" });
  const foreign = await prisma().line.findFirstOrThrow({ where: { accountId: theirs.ref.id } });
  const operator = await signInAs(account, "admin", { isOperator: true });
  for (const call of [read(admin, foreign.id), flag("FLAGGED", operator, foreign.id)]) {
    expect((await call).body.error.code).toBe(2005);
  }
  for (const call of [read(admin, account.ref.id), flag("FLAGGED", operator, account.ref.id)]) {
    expect((await call).body.error.code).toBe(2019);
  }
});
