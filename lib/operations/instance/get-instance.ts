import "server-only";
import type { InstanceState } from "@/lib/operations/instance/instance";
import { readQueues } from "@/lib/operations/instance/read-queues";
import { LIVE_SECONDS } from "@/lib/operations/instance/report-process";
import type { Context } from "@/lib/platform/context";
import { inBackground } from "@/lib/platform/database/database-scope";
import { sql } from "@/lib/platform/database/db";
import { plannedStatement } from "@/lib/platform/database/statement";
import { env } from "@/lib/platform/env";
import { now } from "@/lib/platform/time/clock";

const MAX_ALERTS = 50;
const MAX_PROCESSES = 100;

/** The state of the whole instance, from what its processes report and from the database. */
export function getInstance(_ctx: Context): Promise<InstanceState> {
  // A slow figure must not occupy the connections of requests.
  return inBackground(async () => ({
    at: now().toISOString(),
    alerts: await readAlerts(),
    processes: await readProcesses(),
    queues: (await readQueues(sql, now())).map(({ queue, depth, oldestSeconds }) => ({
      name: queue,
      depth,
      oldest_seconds: oldestSeconds,
      is_old: oldestSeconds > env().ALERT_QUEUE_SECONDS,
    })),
    database: await readDatabase(),
    backup: await readBackup(),
    mail: {
      ...(await readOutbox("outgoing_mails")),
      is_on: env().SMTP_URL !== undefined,
      sender: env().MAIL_FROM ?? null,
    },
    webhook: {
      ...(await readOutbox("operator_notifications")),
      is_on: env().OPERATOR_WEBHOOK_URL !== undefined,
    },
  }));
}

const READ_ALERTS = plannedStatement(
  "read-alerts",
  `select id, type, severity, title, body as description, account_name as account, environment,
    opened_at, calm_since
  from operator_alerts where closed_at is null order by id limit ${MAX_ALERTS}`,
);

async function readAlerts(): Promise<InstanceState["alerts"]> {
  const rows = await sql.run(READ_ALERTS);
  return rows.map((row) => ({
    ...row,
    opened_at: row.opened_at.toISOString(),
    calm_since: row.calm_since?.toISOString() ?? null,
  }));
}

const READ_PROCESSES = plannedStatement(
  "read-processes",
  `select id, role, host, pid, version, node_version, started_at, seen_at, rss_bytes, pools,
    disk_folder, disk_free_bytes, disk_size_bytes,
    seen_at > statement_timestamp() - interval '${LIVE_SECONDS} s' as is_live
  from instance_processes order by is_live desc, role, host, started_at limit ${MAX_PROCESSES}`,
);

async function readProcesses(): Promise<InstanceState["processes"]> {
  const rows = await sql.run(READ_PROCESSES);
  return rows.map(
    ({ disk_folder: folder, disk_free_bytes, disk_size_bytes, rss_bytes, started_at, seen_at, ...row }) => ({
      ...row,
      started_at: started_at.toISOString(),
      seen_at: seen_at.toISOString(),
      rss_bytes: Number(rss_bytes),
      disk:
        folder === null
          ? null
          : { folder, free_bytes: Number(disk_free_bytes), size_bytes: Number(disk_size_bytes) },
    }),
  );
}

const READ_DATABASE_STATS = plannedStatement(
  "read-database-stats",
  `select current_setting('server_version') as "version!", pg_database_size(current_database()) as "size_bytes!",
  (select count(*)::int from pg_stat_activity where datname = current_database()) as connections,
  current_setting('max_connections')::int as "max_connections!",
  (select count(*)::int from _prisma_migrations where finished_at is not null) as migrations,
  (select migration_name from _prisma_migrations order by migration_name desc limit 1) as "last_migration!"`,
);

const COUNT_PARTITIONS = plannedStatement(
  "count-partitions",
  `select p.relname as table, count(*)::int - 1 as count,
    max(greatest(c.reltuples, 0)) filter (where pg_get_expr(c.relpartbound, c.oid) = 'DEFAULT')::int as "default_rows!"
  from pg_class p join pg_inherits i on i.inhparent = p.oid join pg_class c on c.oid = i.inhrelid
  where p.relkind = 'p' and p.relnamespace = current_schema()::regnamespace
  group by p.relname order by p.relname`,
);

async function readDatabase(): Promise<InstanceState["database"]> {
  const [row] = await sql.run(READ_DATABASE_STATS);
  if (row === undefined) throw new Error("the database returned no row");
  const partitions = await sql.run(COUNT_PARTITIONS);
  return { ...row, size_bytes: Number(row.size_bytes), partitions };
}

const READ_LAST_BACKUP = plannedStatement(
  "read-last-backup",
  `select folder, database, started_at, ended_at, file_bytes
  from instance_backups order by ended_at desc limit 1`,
);

async function readBackup(): Promise<InstanceState["backup"]> {
  const [last] = await sql.run(READ_LAST_BACKUP);
  const { BACKUP_DIR = null, BACKUP_HOURS } = env();
  return {
    folder: BACKUP_DIR,
    every_hours: BACKUP_HOURS,
    last:
      last === undefined
        ? null
        : {
            ...last,
            started_at: last.started_at.toISOString(),
            ended_at: last.ended_at.toISOString(),
            file_bytes: last.file_bytes === null ? null : Number(last.file_bytes),
          },
  };
}

// Both tables keep their rows for weeks, and the newest are at the end of the primary key.
const outboxOf = (table: string) =>
  `select (select count(*)::int from ${table} where due_at is not null) as "pending!",
    (select max(sent_at) from ${table}) as last_sent_at, failed.*
  from (select) one left join lateral (
    select created_at as failed_at, last_error, due_at is null as given_up from ${table}
    where last_error is not null and sent_at is null order by id desc limit 1) failed on true`;

const OUTBOXES = {
  outgoing_mails: plannedStatement("read-mail-outbox", outboxOf("outgoing_mails")),
  operator_notifications: plannedStatement("read-notification-outbox", outboxOf("operator_notifications")),
};

async function readOutbox(table: keyof typeof OUTBOXES) {
  const [row] = await sql.run(OUTBOXES[table]);
  if (row === undefined) throw new Error("the database returned no row");
  const { pending, last_sent_at, failed_at, last_error, given_up } = row;
  return {
    pending,
    last_sent_at: last_sent_at?.toISOString() ?? null,
    last_error:
      failed_at === null || last_error === null
        ? null
        : { at: failed_at.toISOString(), text: last_error, given_up: given_up === true },
  };
}
