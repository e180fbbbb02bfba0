import "server-only";
import { lastBackupAt } from "@/lib/operations/backup/back-up-when-due";
import { type QueueState, readQueues } from "@/lib/operations/instance/read-queues";
import { LIVE_SECONDS } from "@/lib/operations/instance/report-process";
import type { Sql } from "@/lib/platform/database/db";
import { plannedStatement } from "@/lib/platform/database/statement";
import { env } from "@/lib/platform/env";
import { displayTarget } from "@/lib/webhooks/targets/display-target";

const MAX_OF_TYPE = 5000;
const HOUR_MS = 60 * 60 * 1000;
const MEGABYTE = 1024 * 1024;
/** A backup that ends late by half of the time between two is an alert. */
const BACKUP_FACTOR = 1.5;

export type AlertType = "line_flagged" | "endpoint_disabled" | "queue_old" | "backup_old" | "disk_low";

/** A state of the instance that its operator has to know. Contains no message content and no customer's handle. */
export interface Condition {
  /** The type and the subject: a condition that goes on keeps its key. */
  key: string;
  type: AlertType;
  severity: "warning" | "critical";
  title: string;
  /** The meaning, and the next step. */
  body: string;
  /** The dashboard page about the subject. */
  path: string | null;
  accountName: string | null;
  environment: "sandbox" | "production" | null;
}

/** Every condition that holds at a time of the platform clock. `since`: when this instance began to look. */
export async function findConditions(on: Sql, at: Date, since: Date): Promise<Condition[]> {
  return [
    ...(await flaggedLines(on)),
    ...(await disabledEndpoints(on)),
    ...(await readQueues(on, at)).flatMap(oldQueue),
    ...(await oldBackup(on, since)),
    ...(await fullDisks(on)),
  ];
}

const OF_INSTANCE = { accountName: null, environment: null } as const;

const FLAGGED_LINES = plannedStatement(
  "flagged-lines",
  `select l.id, l.phone_number as number, l.flagged_by::text as by, a.name as "accountName",
    a.type as environment
  from lines l join accounts a on a.id = l.account_id
  where l.status = 'FLAGGED' and l.released_at is null and a.disposable_until is null
  order by l.account_id, l.id limit ${MAX_OF_TYPE}`,
);

// Disposable accounts of test suites are left out.
async function flaggedLines(on: Sql): Promise<Condition[]> {
  const rows = await on.run(FLAGGED_LINES);
  return rows.map(({ id, number, by, accountName, environment }) => ({
    key: `line_flagged ${id}`,
    type: "line_flagged",
    severity: "critical",
    title: `Line ${number} was flagged`,
    body: `Flagged by ${FLAGGED_BY[by ?? ""] ?? "Trunkline"}. New chats can't start on this line until the flag is cleared.`,
    path: `/lines/${id}`,
    accountName,
    environment,
  }));
}

const FLAGGED_BY: Readonly<Record<string, string>> = {
  transport: "its transport",
  operator: "an operator",
  reputation: "its reputation",
};

const DISABLED_ENDPOINTS = plannedStatement(
  "disabled-endpoints",
  `select s.id, s.target_url as target, s.disabled_reason::text as "reason: 'gone' | 'failing'", a.name as "accountName",
    a.type as environment
  from webhook_subscriptions s join accounts a on a.id = s.account_id
  where s.disabled_at is not null and s.deleted_at is null and s.disabled_reason in ('gone', 'failing')
    and a.disposable_until is null
  order by s.account_id, s.id limit ${MAX_OF_TYPE}`,
);

async function disabledEndpoints(on: Sql): Promise<Condition[]> {
  const rows = await on.run(DISABLED_ENDPOINTS);
  return rows.map(({ id, target, reason, accountName, environment }) => ({
    key: `endpoint_disabled ${id}`,
    type: "endpoint_disabled",
    severity: "critical",
    title: `The webhook endpoint ${displayTarget(target)} was disabled`,
    body: `${DISABLED[reason]} Events wait until the endpoint is enabled again.`,
    path: `/webhooks/${id}`,
    accountName,
    environment,
  }));
}

const DISABLED = {
  gone: "The endpoint answered with status 410.",
  failing: "All deliveries failed for five days.",
} as const;

function oldQueue({ queue, depth, oldestSeconds }: QueueState): Condition[] {
  const limit = env().ALERT_QUEUE_SECONDS;
  if (oldestSeconds <= limit) return [];
  return [
    {
      key: `queue_old ${queue}`,
      type: "queue_old",
      severity: "critical",
      title: `The queue ${queue} is behind`,
      body: `The oldest of ${depth} due items has waited for more than ${limit} seconds. Check that a worker runs, and the transport, endpoint or server that the queue waits for.`,
      path: "/instance",
      ...OF_INSTANCE,
    },
  ];
}

// Backups use the wall clock, because they protect against the loss of a machine.
async function oldBackup(on: Sql, since: Date): Promise<Condition[]> {
  const { BACKUP_DIR, BACKUP_HOURS, ALERT_BACKUP_HOURS } = env();
  if (BACKUP_DIR === undefined && ALERT_BACKUP_HOURS === undefined) return [];
  const hours = ALERT_BACKUP_HOURS ?? BACKUP_HOURS * BACKUP_FACTOR;
  const last = await lastBackupAt(on);
  if (Date.now() - (last ?? since).getTime() <= hours * HOUR_MS) return [];
  const age =
    last === null ? "This instance has no backup." : `The last backup ended at ${last.toISOString()}.`;
  return [
    {
      key: "backup_old",
      type: "backup_old",
      severity: "warning",
      title: "The last backup is too old",
      body: `${age} Read the worker's log, and run \`npm run admin -- backup\`.`,
      path: "/instance",
      ...OF_INSTANCE,
    },
  ];
}

const FULL_DISKS = plannedStatement(
  "full-disks",
  `select distinct host, disk_folder as "folder!" from instance_processes
  where seen_at > statement_timestamp() - interval '${LIVE_SECONDS} s' and disk_free_bytes < :diskFreeBytes
  order by host, folder limit ${MAX_OF_TYPE}`,
);

async function fullDisks(on: Sql): Promise<Condition[]> {
  const limitMb = env().ALERT_DISK_FREE_MB;
  if (limitMb === 0) return [];
  const rows = await on.run(FULL_DISKS, { diskFreeBytes: limitMb * MEGABYTE });
  return rows.map(({ host, folder }) => ({
    key: `disk_low ${host} ${folder}`,
    type: "disk_low",
    severity: "critical",
    title: `The disk of ${host} is almost full`,
    body: `Less than ${limitMb} MB are free for ${folder}. Free space, or move the directory to a larger disk.`,
    path: "/instance",
    ...OF_INSTANCE,
  }));
}
