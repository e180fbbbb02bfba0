import "@/lib/testing/use-test-database";
import { afterEach, beforeEach, expect, test } from "vitest";
import * as instance from "@/app/api/instance/route";
import * as testMail from "@/app/api/instance/test-mail/route";
import { evaluateAlerts } from "@/lib/operations/instance/evaluate-alerts";
import { reportProcess } from "@/lib/operations/instance/report-process";
import { sql } from "@/lib/platform/database/db";
import { setClock } from "@/lib/platform/time/clock";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { type DashboardUser, signInAs } from "@/lib/testing/sign-in/sign-in-as";

let account: TestAccount;
let operator: DashboardUser;

beforeEach(async () => {
  setClock(null);
  account = await createTestAccount({ type: "production" });
  operator = await signInAs(account, "viewer", { isOperator: true });
});

afterEach(() => {
  delete process.env.SMTP_URL;
  delete process.env.MAIL_FROM;
  setClock(null);
});

async function read() {
  const { status, body } = await operator.call(instance.GET);
  expect(status).toBe(200);
  return body;
}

test("an admin who is no operator gets 403", async () => {
  const admin = await signInAs(account, "admin");
  expect((await admin.call(instance.GET)).status).toBe(403);
  expect((await admin.call(testMail.POST, { method: "POST" })).status).toBe(403);
});

test("an operator sees processes that report, queues, the database with its partitions, and that nothing is set up", async () => {
  await reportProcess({ id: "01a00000-0000-7000-8000-000000000001", startedAt: new Date() });
  await reportProcess({ id: "01a00000-0000-7000-8000-000000000002", startedAt: new Date() });
  await sql.runText({
    text: "update instance_processes set seen_at = now() - interval '2 minutes' where id = '01a00000-0000-7000-8000-000000000001'",
  });
  const body = await read();

  expect(body.processes).toMatchObject([
    {
      id: "01a00000-0000-7000-8000-000000000002",
      is_live: true,
      pid: process.pid,
      disk: { size_bytes: expect.any(Number) },
    },
    { id: "01a00000-0000-7000-8000-000000000001", is_live: false },
  ]);
  expect(body.processes[0].pools.hot).toEqual({
    idle: expect.any(Number),
    active: expect.any(Number),
    waiting: 0,
  });
  expect(body.queues.map(({ name }: { name: string }) => name)).toEqual([
    "messages",
    "webhooks",
    "actions",
    "mails",
  ]);
  const [row] = await sql.runText<{ count: number }>({
    text: "select count(*)::int as count from _prisma_migrations",
  });
  expect(body.database.migrations).toBe(row?.count);
  expect(body.database.partitions.map(({ table }: { table: string }) => table)).toEqual([
    "api_requests",
    "events",
    "webhook_attempts",
  ]);
  expect(body).toMatchObject({
    alerts: [],
    backup: { folder: null, last: null },
    mail: { is_on: false, pending: 0, last_sent_at: null, last_error: null, sender: null },
    webhook: { is_on: false },
  });
});

test("open alerts and the last backup are shown", async () => {
  await sql.runText({
    text: "update lines set status = 'FLAGGED' where account_id = $1",
    values: [account.ref.id],
  });
  await evaluateAlerts();
  await sql.runText({
    text: `insert into instance_backups (id, folder, database, started_at, ended_at, file_count, file_bytes) values
             (gen_random_uuid(), '/backups/old', 'dump', now() - interval '2 days', now() - interval '2 days', null, null),
             (gen_random_uuid(), '/backups/new', 'cluster', now(), now(), 3, 4096)`,
  });
  expect(await read()).toMatchObject({
    alerts: [
      { type: "line_flagged", title: `Line ${account.line} was flagged`, account: "main", calm_since: null },
    ],
    backup: { last: { folder: "/backups/new", database: "cluster", file_bytes: 4096 } },
  });
});

test("a test email goes to the operator, and its error is shown; without SMTP_URL it is refused", async () => {
  expect((await operator.call(testMail.POST, { method: "POST" })).status).toBe(403);
  process.env.SMTP_URL = "smtp://127.0.0.1:1";
  process.env.MAIL_FROM = "no-reply@example.com";

  const answer = await operator.call(testMail.POST, { method: "POST" });
  const [user] = await sql.runText<{ email: string }>({
    text: "select email from users where id = $1",
    values: [operator.id],
  });
  expect(answer).toMatchObject({ status: 202, body: { recipient: user?.email } });
  const mails = await sql.runText({ text: "select type, recipient from outgoing_mails" });
  expect(mails).toEqual([{ type: "test", recipient: user?.email }]);
  expect((await read()).mail).toMatchObject({ is_on: true, pending: 1, sender: "no-reply@example.com" });

  await sql.runText({ text: "update outgoing_mails set last_error = 'ESOCKET: refused', due_at = null" });
  expect((await read()).mail).toMatchObject({
    pending: 0,
    last_error: { text: "ESOCKET: refused", given_up: true },
  });
});
