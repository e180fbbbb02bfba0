import "server-only";
import type { MailContent } from "@/lib/identity/mail/queue-mail";
import { isMailOn, queueMail } from "@/lib/identity/mail/queue-mail";
import { type Condition, findConditions } from "@/lib/operations/instance/find-conditions";
import { type Sql, transaction } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { dashboardUrl, env } from "@/lib/platform/env";
import { newId } from "@/lib/platform/ids";
import { now } from "@/lib/platform/time/clock";

/** An alert is closed after its condition has been over for this long, so that an alert does not flap. */
export const CALM_SECONDS = 300;
const MAX_LISTED = 20;
const MAX_RECIPIENTS = 50;

interface Evaluated {
  opened: number;
  closed: number;
}

/** A stored alert that is open. */
type OpenAlert = Condition & { id: string; calmSince: Date | null };

/**
 * Compares the conditions of the instance with the open alerts: opens an alert for each new condition, and closes alerts
 * whose condition has been over for CALM_SECONDS. Each opening and closing is notified once (OPERATOR_WEBHOOK_URL and
 * email), in the same transaction. Returns null without looking while another process does, or if the last look was
 * less than `pauseSeconds` ago.
 */
export function evaluateAlerts({
  pauseSeconds = 0,
}: {
  pauseSeconds?: number;
} = {}): Promise<Evaluated | null> {
  return transaction(async (tx) => {
    const since = await claimLook(tx, pauseSeconds);
    if (since === null) return null;

    const at = now();
    const conditions = new Map((await findConditions(tx, at, since)).map((each) => [each.key, each]));
    const open = await findOpen(tx);
    const known = new Set(open.map(({ key }) => key));
    const isOver = ({ key }: OpenAlert) => !conditions.has(key);
    const hasCalmed = ({ calmSince }: OpenAlert) =>
      calmSince !== null && at.getTime() - calmSince.getTime() >= CALM_SECONDS * 1000;

    const opened = await openAlerts(
      tx,
      [...conditions.values()].filter(({ key }) => !known.has(key)),
      at,
    );
    const closed = open.filter((alert) => isOver(alert) && hasCalmed(alert));
    await closeAlerts(tx, closed, at);
    await setCalm(
      tx,
      open.filter((alert) => isOver(alert) && alert.calmSince === null),
      at,
    );
    await setCalm(
      tx,
      open.filter((alert) => !isOver(alert) && alert.calmSince !== null),
      null,
    );
    await notify(
      tx,
      [
        ...opened.map((alert) => [alert, "opened"] as const),
        ...closed.map((alert) => [alert, "closed"] as const),
      ],
      at,
    );
    await mailOperators(tx, opened, closed);
    return { opened: opened.length, closed: closed.length };
  });
}

const CREATE_OPERATOR_WATCH = statement(
  "create-operator-watch",
  `insert into operator_watch (id, started_at, looked_at) values (1, now(), '-infinity')
  on conflict (id) do nothing`,
);

const CLAIM_OPERATOR_WATCH = statement(
  "claim-operator-watch",
  `with free as (
    select id from operator_watch where id = 1
      and looked_at <= statement_timestamp() - make_interval(secs => :pauseSeconds) for update skip locked
  )
  update operator_watch w set looked_at = statement_timestamp() from free where w.id = free.id
  returning w.started_at`,
);

// The lock of the row is held until the transaction ends, so conditions are read and compared by one process at a time.
async function claimLook(tx: Sql, pauseSeconds: number): Promise<Date | null> {
  await tx.run(CREATE_OPERATOR_WATCH);
  const [row] = await tx.run(CLAIM_OPERATOR_WATCH, { pauseSeconds });
  return row?.started_at ?? null;
}

const FIND_OPEN_ALERTS = statement(
  "find-open-alerts",
  `select id, key, type, severity, title, body, path, account_name as "accountName", environment,
    calm_since as "calmSince"
  from operator_alerts where closed_at is null`,
);

function findOpen(tx: Sql): Promise<OpenAlert[]> {
  return tx.run(FIND_OPEN_ALERTS);
}

const OPEN_ALERT = statement(
  "open-alert",
  `insert into operator_alerts (id, key, type, severity, title, body, path, account_name, environment, opened_at)
  values (:id, :key, :type, :severity, :title, :body, :path, :accountName, :environment, :openedAt)`,
);

async function openAlerts(tx: Sql, conditions: readonly Condition[], at: Date): Promise<OpenAlert[]> {
  const alerts = conditions.map((condition) => ({ ...condition, id: newId(at.getTime()), calmSince: null }));
  for (const { id, key, type, severity, title, body, path, accountName, environment } of alerts) {
    await tx.run(OPEN_ALERT, {
      id,
      key,
      type,
      severity,
      title,
      body,
      path,
      accountName,
      environment,
      openedAt: at,
    });
  }
  return alerts;
}

const CLOSE_ALERTS = statement(
  "close-alerts",
  "update operator_alerts set closed_at = :closedAt where id = any(:alertIds)",
);

async function closeAlerts(tx: Sql, alerts: readonly OpenAlert[], at: Date): Promise<void> {
  if (alerts.length === 0) return;
  await tx.run(CLOSE_ALERTS, { alertIds: alerts.map(({ id }) => id), closedAt: at });
}

const SET_ALERTS_CALM = statement(
  "set-alerts-calm",
  "update operator_alerts set calm_since = :since where id = any(:alertIds)",
);

async function setCalm(tx: Sql, alerts: readonly OpenAlert[], since: Date | null): Promise<void> {
  if (alerts.length === 0) return;
  await tx.run(SET_ALERTS_CALM, { alertIds: alerts.map(({ id }) => id), since });
}

const NOTIFY_OPERATOR = statement(
  "notify-operator",
  `insert into operator_notifications (id, alert_id, type, created_at, due_at)
  select id, alert_id, type, :at, :at
  from unnest(:ids::uuid[], :alertIds::uuid[], :types::text[]) as n(id, alert_id, type)`,
);

async function notify(
  tx: Sql,
  changes: readonly (readonly [alert: OpenAlert, type: "opened" | "closed"])[],
  at: Date,
): Promise<void> {
  if (env().OPERATOR_WEBHOOK_URL === undefined || changes.length === 0) return;
  await tx.run(NOTIFY_OPERATOR, {
    ids: changes.map(() => newId(at.getTime())),
    alertIds: changes.map(([{ id }]) => id),
    types: changes.map(([, type]) => type),
    at,
  });
  tx.wake("alerts");
}

const FIND_OPERATORS = statement(
  "find-operators",
  `select email from users where is_operator order by id limit ${MAX_RECIPIENTS}`,
);

// One email for all changes of a look. Sandbox accounts are left out, because no one should be woken by a test.
async function mailOperators(
  tx: Sql,
  opened: readonly OpenAlert[],
  closed: readonly OpenAlert[],
): Promise<void> {
  const [began, ended] = [opened.filter(concernsOperators), closed.filter(concernsOperators)];
  if (!isMailOn() || began.length + ended.length === 0) return;
  const operators = await tx.run(FIND_OPERATORS);
  const mail = alertMail(began, ended);
  for (const { email } of operators) await queueMail(tx, { type: "alert", recipient: email, mail });
}

function concernsOperators({ environment }: OpenAlert): boolean {
  return environment !== "sandbox";
}

function alertMail(opened: readonly OpenAlert[], closed: readonly OpenAlert[]): MailContent {
  const all = [
    ...opened.map((alert) => ({ alert, label: "Now" })),
    ...closed.map((alert) => ({ alert, label: "Over" })),
  ];
  const [first] = all;
  const more = all.length > 1 ? ` and ${all.length - 1} more` : "";
  const begin = first?.label === "Over" ? "Over: " : "";
  return {
    subject: `${begin}${first?.alert.title ?? "Alerts"}${more}`,
    paragraphs: [
      opened.length > 0
        ? "Your instance of Trunkline needs attention."
        : "These alerts of your instance are over.",
    ],
    details: all
      .slice(0, MAX_LISTED)
      .map(({ alert: { title, body, accountName }, label }) => [
        label,
        [
          `${title}${accountName === null ? "" : ` (account ${accountName})`}.`,
          ...(label === "Now" ? [body] : []),
        ].join(" "),
      ]),
    action: { label: "Open the Instance page", url: `${dashboardUrl()}/instance` },
  };
}
