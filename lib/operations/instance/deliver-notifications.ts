import "server-only";
import { sql } from "@/lib/platform/database/db";
import { type Queue, startQueue } from "@/lib/platform/database/queue";
import { type RowOf, statement } from "@/lib/platform/database/statement";
import { dashboardUrl, env } from "@/lib/platform/env";
import { log } from "@/lib/platform/telemetry/log";
import { operatorNotifications } from "@/lib/platform/telemetry/metrics";
import { now } from "@/lib/platform/time/clock";
import { signMessage } from "@/lib/webhooks/signing/sign-webhook";

const CONCURRENCY = 4;
const POLL_MS = 5000;
const TIMEOUT_MS = 10_000;
const LEASE_SECONDS = 30;
/** The waits after failed attempts, in seconds. The last one repeats. */
const RETRY_SECONDS = [5, 10, 20, 40, 60, 120, 300, 600, 1800, 3600];
const GIVE_UP_MS = 24 * 60 * 60 * 1000;
const MAX_ERROR = 300;

type DueNotification = RowOf<"claim-operator-notifications">;

/**
 * Starts posting alerts to OPERATOR_WEBHOOK_URL, at least once each, signed as in Standard Webhooks. Returns null without
 * the URL. The end of an alert is posted after its beginning.
 */
export function startOperatorNotifications(): Queue | null {
  if (env().OPERATOR_WEBHOOK_URL === undefined) return null;
  return startQueue<DueNotification>({
    name: "operator notifications",
    topic: "alerts",
    most: CONCURRENCY,
    pollMs: POLL_MS,
    claim: claimNotifications,
    handle: deliverNotification,
  });
}

const CLAIM_OPERATOR_NOTIFICATIONS = statement(
  "claim-operator-notifications",
  `with due as (
    select id from operator_notifications n
    where due_at <= :now and (leased_until is null or leased_until <= statement_timestamp())
      and (type = 'opened' or not exists (
        select from operator_notifications first
        where first.alert_id = n.alert_id and first.type = 'opened' and first.due_at is not null))
    order by due_at limit :limit for update skip locked
  ), leased as (
    update operator_notifications n set attempts = attempts + 1,
      leased_until = statement_timestamp() + interval '${LEASE_SECONDS} s'
    from due where n.id = due.id returning n.*
  )
  select n.id, n.alert_id as "alertId", n.type, n.created_at as "createdAt", n.attempts, a.type as "alertType",
    a.severity, a.title, a.body, a.path, a.account_name as "accountName", a.environment,
    a.opened_at as "openedAt", a.closed_at as "closedAt"
  from leased n join operator_alerts a on a.id = n.alert_id`,
);

function claimNotifications(limit: number): Promise<DueNotification[]> {
  return sql.run(CLAIM_OPERATOR_NOTIFICATIONS, { now: now(), limit });
}

const RECORD_OPERATOR_NOTIFICATION = statement(
  "record-operator-notification",
  `update operator_notifications set due_at = :dueAt, sent_at = :sentAt, last_error = :error, leased_until = null
  where id = :id and sent_at is null and (:sentAt::timestamptz is not null or attempts = :attempts)`,
);

async function deliverNotification(notification: DueNotification): Promise<void> {
  const error = await post(notification);
  const { id, attempts, createdAt } = notification;
  const waitSeconds = RETRY_SECONDS[Math.min(attempts, RETRY_SECONDS.length) - 1] ?? 0;
  const next = new Date(now().getTime() + waitSeconds * 1000);
  const isOver = error === null || next.getTime() - createdAt.getTime() > GIVE_UP_MS;
  await sql.run(RECORD_OPERATOR_NOTIFICATION, {
    id,
    dueAt: isOver ? null : next,
    sentAt: error === null ? now() : null,
    error,
    attempts,
  });
  operatorNotifications.inc({ result: error === null ? "sent" : isOver ? "given_up" : "retried" });
  if (error === null) return;
  const details = { notificationId: id, error, attempts };
  if (isOver) log.error(details, "an operator notification was given up");
  else log.warn(details, "an operator notification could not be posted and will be retried");
}

// Returns the reason of a failure, or null. The URL comes from the operator's configuration, so it can be private.
async function post(notification: DueNotification): Promise<string | null> {
  const { OPERATOR_WEBHOOK_URL: url = "", OPERATOR_WEBHOOK_SECRET: secret = "" } = env();
  const body = JSON.stringify(payloadOf(notification));
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "user-agent": "Trunkline-Alerts/1",
        ...signMessage(secret, { id: notification.id, body, sentAt: new Date() }),
      },
      body,
      redirect: "manual",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    await response.body?.cancel();
    return response.ok ? null : `the server answered with status ${response.status}`;
  } catch (error) {
    return reasonOf(error);
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error).slice(0, MAX_ERROR);
  const cause = error.cause instanceof Error ? `: ${error.cause.message}` : "";
  return `${error.message}${cause}`.slice(0, MAX_ERROR);
}

function payloadOf(notification: DueNotification): Record<string, unknown> {
  const { alertId, type, alertType, severity, title, body, path, accountName, environment } = notification;
  const { openedAt, closedAt, createdAt } = notification;
  return {
    type: `alert.${type}`,
    timestamp: createdAt.toISOString(),
    data: {
      alert_id: alertId,
      alert_type: alertType,
      severity,
      title,
      description: body,
      url: path === null ? null : `${dashboardUrl()}${path}`,
      account: accountName,
      environment,
      opened_at: openedAt.toISOString(),
      closed_at: type === "closed" ? (closedAt?.toISOString() ?? null) : null,
    },
  };
}
