import "@/lib/testing/use-test-database";
import { Webhook } from "standardwebhooks";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createUser } from "@/lib/identity/people/create-user";
import { startOperatorNotifications } from "@/lib/operations/instance/deliver-notifications";
import { CALM_SECONDS, evaluateAlerts } from "@/lib/operations/instance/evaluate-alerts";
import { reportProcess, startProcessReports } from "@/lib/operations/instance/report-process";
import { startInstanceWatch } from "@/lib/operations/instance/watch-instance";
import { sql } from "@/lib/platform/database/db";
import type { Queue } from "@/lib/platform/database/queue";
import { wake } from "@/lib/platform/database/wake";
import { setClock } from "@/lib/platform/time/clock";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { type Receiver, startReceiver } from "@/lib/testing/servers/start-receiver";
import { until } from "@/lib/testing/until";

const SECRET = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;

let account: TestAccount;
let receiver: Receiver;
let queues: (Queue | null)[] = [];
let clockSeconds = 0;

beforeEach(async () => {
  advanceTo(0);
  for (const table of ["operator_alerts", "operator_watch", "outgoing_mails", "instance_processes"]) {
    await sql.runText({ text: `delete from ${table}` });
  }
  await sql.runText({ text: "update lines set status = 'ACTIVE', flagged_by = null, flagged_at = null" });
  await sql.runText({ text: "delete from webhook_subscriptions" });
  account = await createTestAccount({ type: "production" });
  process.env.OPERATOR_WEBHOOK_SECRET = SECRET;
  process.env.ALERT_DISK_FREE_MB = "0";
});

afterEach(async () => {
  for (const queue of queues) await queue?.stop();
  queues = [];
  await receiver?.close();
  for (const name of ["OPERATOR_WEBHOOK_URL", "SMTP_URL", "MAIL_FROM", "BACKUP_DIR", "ALERT_DISK_FREE_MB"]) {
    delete process.env[name];
  }
  setClock(null);
});

function advanceTo(seconds: number): void {
  clockSeconds = seconds;
  setClock({ offsetMs: seconds * 1000, frozenAt: null });
}

/** Moves the clock and looks for alerts. */
async function evaluateAfter(seconds: number) {
  advanceTo(clockSeconds + seconds);
  return evaluateAlerts();
}

async function receive(...respond: Parameters<typeof startReceiver>): Promise<void> {
  receiver = await startReceiver(...respond);
  process.env.OPERATOR_WEBHOOK_URL = receiver.url;
  queues = [startOperatorNotifications()];
}

/** Waits until every notification was posted or given up. */
async function settled(): Promise<void> {
  await until(
    async () =>
      (await sql.runText({ text: "select from operator_notifications where due_at is not null" })).length ===
      0,
  );
}

async function flag(isFlagged = true, of = account): Promise<void> {
  await sql.runText({
    text: `update lines set status = $2::line_status, flagged_by = case when $2 = 'FLAGGED' then 'transport'::flagged_by end
           where account_id = $1`,
    values: [of.ref.id, isFlagged ? "FLAGGED" : "ACTIVE"],
  });
}

function posted(): { type: string; data: Record<string, unknown> }[] {
  return receiver.received.map(({ body, headers }) => {
    new Webhook(SECRET).verify(body, headers);
    return JSON.parse(body);
  });
}

const types = () => posted().map(({ type, data }) => `${type} ${data.alert_type}`);

describe("a flagged line", () => {
  test("is posted once, signed, and once more when it has been over for the calm time", async () => {
    await receive();
    expect(await evaluateAlerts()).toEqual({ opened: 0, closed: 0 });
    await flag();
    expect(await evaluateAfter(15)).toEqual({ opened: 1, closed: 0 });
    expect(await evaluateAfter(15)).toEqual({ opened: 0, closed: 0 });
    await settled();
    expect(posted()).toMatchObject([
      {
        type: "alert.opened",
        data: {
          alert_type: "line_flagged",
          severity: "critical",
          title: `Line ${account.line} was flagged`,
          account: "main",
          environment: "production",
          closed_at: null,
        },
      },
    ]);

    await flag(false);
    expect(await evaluateAfter(15)).toEqual({ opened: 0, closed: 0 });
    expect(await evaluateAfter(CALM_SECONDS - 60)).toEqual({ opened: 0, closed: 0 });
    expect(await evaluateAfter(60)).toEqual({ opened: 0, closed: 1 });
    expect(await evaluateAfter(15)).toEqual({ opened: 0, closed: 0 });
    await settled();
    expect(types()).toEqual(["alert.opened line_flagged", "alert.closed line_flagged"]);
    expect(posted().map(({ data }) => data.alert_id)).toEqual([
      expect.any(String),
      posted()[0]?.data.alert_id,
    ]);
    expect(posted()[1]?.data.closed_at).toEqual(expect.any(String));
  });

  test("that is flagged again within the calm time stays one alert", async () => {
    await receive();
    await flag();
    await evaluateAlerts();
    for (let times = 0; times < 5; times++) {
      await flag(false);
      await evaluateAfter(60);
      await flag();
      await evaluateAfter(60);
    }
    await flag(false);
    await evaluateAfter(15);
    await evaluateAfter(CALM_SECONDS);
    await flag();
    await evaluateAfter(15);
    await settled();

    expect(types()).toEqual([
      "alert.opened line_flagged",
      "alert.closed line_flagged",
      "alert.opened line_flagged",
    ]);
    expect(new Set(receiver.received.map(({ headers }) => headers["webhook-id"])).size).toBe(3);
  });

  test("of a disposable account is no alert", async () => {
    await flag();
    await sql.runText({
      text: "update accounts set type = 'sandbox', disposable_until = now() + interval '1 hour' where id = $1",
      values: [account.ref.id],
    });
    expect(await evaluateAlerts()).toEqual({ opened: 0, closed: 0 });
  });
});

test.each([
  ["failing", 1],
  ["gone", 1],
  ["manual", 0],
])("an endpoint that was disabled because of %s opens %i alerts", async (reason, opened) => {
  await sql.runText({
    text: `insert into webhook_subscriptions (account_id, id, target_url, subscribed_events, phone_numbers, is_active,
             version, signing_secret, created_at, updated_at, disabled_at, disabled_reason)
           values ($1, gen_random_uuid(), 'https://example.com/hook?key=secret', '{}', '{}', false, '2026-02-03', '\\x00',
             now(), now(), now(), $2::webhook_disabled_reason)`,
    values: [account.ref.id, reason],
  });
  expect(await evaluateAlerts()).toEqual({ opened, closed: 0 });
  const alerts = await sql.runText<{ title: string }>({ text: "select title from operator_alerts" });
  expect(alerts.map(({ title }) => title)).toEqual(
    opened === 1 ? ["The webhook endpoint example.com/hook was disabled"] : [],
  );
});

test("a queue whose oldest item is older than ALERT_QUEUE_SECONDS is an alert until the queue is empty", async () => {
  await sql.runText({
    text: `insert into outgoing_mails (id, type, recipient, created_at, due_at, give_up_at)
           values (gen_random_uuid(), 'test', 'ada@example.com', now(), now(), now() + interval '1 day')`,
  });
  expect(await evaluateAfter(290)).toEqual({ opened: 0, closed: 0 });
  expect(await evaluateAfter(20)).toEqual({ opened: 1, closed: 0 });
  await sql.runText({ text: "delete from outgoing_mails" });
  await evaluateAfter(15);
  expect(await evaluateAfter(CALM_SECONDS)).toEqual({ opened: 0, closed: 1 });
});

test("a missing or old backup is an alert from one and a half times BACKUP_HOURS on", async () => {
  expect(await evaluateAlerts()).toEqual({ opened: 0, closed: 0 });
  process.env.BACKUP_DIR = "/backups";
  await sql.runText({ text: "update operator_watch set started_at = now() - interval '35 hours'" });
  expect(await evaluateAlerts()).toEqual({ opened: 0, closed: 0 });
  await sql.runText({ text: "update operator_watch set started_at = now() - interval '37 hours'" });
  expect(await evaluateAlerts()).toEqual({ opened: 1, closed: 0 });

  await sql.runText({
    text: `insert into instance_backups (id, folder, database, started_at, ended_at)
           values (gen_random_uuid(), '/backups/one', 'dump', now(), now())`,
  });
  await evaluateAlerts();
  expect(await evaluateAfter(CALM_SECONDS)).toEqual({ opened: 0, closed: 1 });
  await sql.runText({ text: "delete from instance_backups" });
});

test("a disk with too little space is one alert per host and folder, also with several processes", async () => {
  process.env.ALERT_DISK_FREE_MB = "10000000";
  await reportProcess({ id: "01a00000-0000-7000-8000-000000000001", startedAt: new Date() });
  await reportProcess({ id: "01a00000-0000-7000-8000-000000000002", startedAt: new Date() });
  expect(await evaluateAlerts()).toEqual({ opened: 1, closed: 0 });

  // The processes have ended, and others report another disk.
  await sql.runText({ text: "update instance_processes set seen_at = now() - interval '2 minutes'" });
  await evaluateAfter(1);
  expect(await evaluateAfter(CALM_SECONDS)).toEqual({ opened: 0, closed: 1 });
});

test("a process reports itself until it stops", async () => {
  const reports = startProcessReports();
  const [row] = await until(async () => {
    const rows = await sql.runText<{ role: string; pid: number; rss_bytes: string; disk_free_bytes: string }>(
      {
        text: "select role, pid, rss_bytes, disk_free_bytes from instance_processes",
      },
    );
    return rows.length > 0 && rows;
  });
  expect(row).toMatchObject({ role: "all", pid: process.pid });
  expect(Number(row?.rss_bytes)).toBeGreaterThan(1e6);
  expect(Number(row?.disk_free_bytes)).toBeGreaterThan(0);
  await reports.stop();
  expect(await sql.runText({ text: "select from instance_processes" })).toEqual([]);
});

describe("several processes", () => {
  test("that look at the same time open and close each alert once", async () => {
    await receive();
    queues.push(startOperatorNotifications());
    await flag();
    await Promise.all(Array.from({ length: 8 }, () => evaluateAlerts()));
    await flag(false);
    for (const seconds of [15, CALM_SECONDS, 15]) {
      advanceTo(clockSeconds + seconds);
      const looks = await Promise.all(Array.from({ length: 8 }, () => evaluateAlerts()));
      expect(looks.some((look) => look !== null)).toBe(true);
    }
    await settled();

    expect(types()).toEqual(["alert.opened line_flagged", "alert.closed line_flagged"]);
  });

  test("look again only after the pause", async () => {
    expect(await evaluateAlerts({ pauseSeconds: 10 })).not.toBeNull();
    expect(await evaluateAlerts({ pauseSeconds: 10 })).toBeNull();
    await sql.runText({ text: "update operator_watch set looked_at = now() - interval '11 seconds'" });
    expect(await evaluateAlerts({ pauseSeconds: 10 })).not.toBeNull();
  });
});

describe("a receiver that", () => {
  test("fails gets the alert again under the same ID, and its end only after its beginning", async () => {
    let isUp = false;
    await receive((response) => {
      response.statusCode = isUp ? 204 : 500;
      response.end();
    });
    await flag();
    await evaluateAlerts();
    await until(() => receiver.received.length === 1);
    await flag(false);
    await evaluateAfter(1);
    // The next attempts are due, and all fail, while the alert ends.
    await evaluateAfter(CALM_SECONDS);
    wake("alerts");
    await until(() => receiver.received.length === 2);
    expect(new Set(types())).toEqual(new Set(["alert.opened line_flagged"]));

    isUp = true;
    await until(async () => {
      advanceTo(clockSeconds + 30);
      wake("alerts");
      return types().includes("alert.closed line_flagged");
    });
    await settled();
    expect(types().at(-1)).toBe("alert.closed line_flagged");
    expect(new Set(receiver.received.map(({ headers }) => headers["webhook-id"])).size).toBe(2);
  });

  test("never answers is given up after a day, with the reason", async () => {
    await receive();
    await receiver.close();
    await flag();
    await evaluateAlerts();
    await until(async () => {
      const [row] = await sql.runText<{ attempts: number; leased_until: Date | null }>({
        text: "select attempts, leased_until from operator_notifications",
      });
      return row !== undefined && row.attempts > 0 && row.leased_until === null;
    });
    advanceTo(clockSeconds + 24 * 3600 + 60);
    wake("alerts");
    await settled();
    const rows = await sql.runText({ text: "select sent_at, last_error from operator_notifications" });
    expect(rows).toEqual([{ sent_at: null, last_error: expect.stringContaining("ECONNREFUSED") }]);
  });
});

test("without OPERATOR_WEBHOOK_URL alerts are stored and none is posted", async () => {
  await flag();
  expect(await evaluateAlerts()).toEqual({ opened: 1, closed: 0 });
  expect(await sql.runText({ text: "select from operator_notifications" })).toEqual([]);
  expect(startOperatorNotifications()).toBeNull();
});

test("operators get one email for the alerts of a look, without those of sandbox accounts", async () => {
  const operator = await createUser({
    partnerId: account.ref.partnerId,
    email: "operator@example.com",
    name: "Op",
    role: "admin",
  });
  await sql.runText({ text: "update users set is_operator = id = $1", values: [operator.userId] });
  process.env.SMTP_URL = "smtp://127.0.0.1:1";
  process.env.MAIL_FROM = "no-reply@example.com";
  const sandbox = await createTestAccount({ type: "sandbox" });
  const mails = () => sql.runText({ text: "select recipient from outgoing_mails where type = 'alert'" });

  await flag(true, sandbox);
  expect(await evaluateAlerts()).toEqual({ opened: 1, closed: 0 });
  expect(await mails()).toEqual([]);

  await flag();
  await evaluateAlerts();
  expect(await mails()).toEqual([{ recipient: "operator@example.com" }]);
  await flag(false);
  await evaluateAfter(15);
  await evaluateAfter(CALM_SECONDS);
  expect(await mails()).toHaveLength(2);
});

test("a worker looks when it starts, and when the clock is moved", async () => {
  await flag();
  const watch = startInstanceWatch();
  const open = () => sql.runText({ text: "select from operator_alerts where closed_at is null" });
  await until(async () => (await open()).length === 1);
  await flag(false);
  advanceTo(15);
  wake("clock");
  await until(
    async () =>
      (await sql.runText({ text: "select from operator_alerts where calm_since is not null" })).length === 1,
  );
  advanceTo(15 + CALM_SECONDS);
  wake("clock");
  await until(async () => (await open()).length === 0);
  await watch.stop();
});
