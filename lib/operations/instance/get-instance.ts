import "server-only";
import type { InstanceState } from "@/lib/operations/instance/instance";
import { readQueues } from "@/lib/operations/instance/read-queues";
import { LIVE_SECONDS } from "@/lib/operations/instance/report-process";
import type { Context } from "@/lib/platform/context";
import { inBackground } from "@/lib/platform/database/database-scope";
import { sql } from "@/lib/platform/database/db";
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

async function readAlerts(): Promise<InstanceState["alerts"]> {
  const rows = await sql.query<AlertRow>({
    text: `select id, type, severity, title, body as description, account_name as account, environment,
             opened_at, calm_since
           from operator_alerts where closed_at is null order by id limit ${MAX_ALERTS}`,
  });
  return rows.map((row) => ({
    ...row,
    opened_at: row.opened_at.toISOString(),
    calm_since: row.calm_since?.toISOString() ?? null,
  }));
}

type AlertRow = Omit<InstanceState["alerts"][number], "opened_at" | "calm_since"> & {
  opened_at: Date;
  calm_since: Date | null;
};

interface ProcessRow {
  id: string;
  role: "web" | "worker" | "all";
  host: string;
  pid: number;
  version: string;
  node_version: string;
  started_at: Date;
  seen_at: Date;
  is_live: boolean;
  rss_bytes: string;
  pools: InstanceState["processes"][number]["pools"];
  disk_folder: string | null;
  disk_free_bytes: string | null;
  disk_size_bytes: string | null;
}

async function readProcesses(): Promise<InstanceState["processes"]> {
  const rows = await sql.query<ProcessRow>({
    text: `select id, role, host, pid, version, node_version, started_at, seen_at, rss_bytes, pools,
             disk_folder, disk_free_bytes, disk_size_bytes,
             seen_at > statement_timestamp() - interval '${LIVE_SECONDS} s' as is_live
           from instance_processes order by is_live desc, role, host, started_at limit ${MAX_PROCESSES}`,
  });
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

async function readDatabase(): Promise<InstanceState["database"]> {
  const [row] = await sql.query<
    Omit<InstanceState["database"], "partitions" | "size_bytes"> & { size_bytes: string }
  >({
    text: `select current_setting('server_version') as version, pg_database_size(current_database()) as size_bytes,
             (select count(*)::int from pg_stat_activity where datname = current_database()) as connections,
             current_setting('max_connections')::int as max_connections,
             (select count(*)::int from _prisma_migrations where finished_at is not null) as migrations,
             (select migration_name from _prisma_migrations order by migration_name desc limit 1) as last_migration`,
  });
  if (row === undefined) throw new Error("the database returned no row");
  const partitions = await sql.query<InstanceState["database"]["partitions"][number]>({
    text: `select p.relname as table, count(*)::int - 1 as count,
             max(greatest(c.reltuples, 0)) filter (where pg_get_expr(c.relpartbound, c.oid) = 'DEFAULT')::int as default_rows
           from pg_class p join pg_inherits i on i.inhparent = p.oid join pg_class c on c.oid = i.inhrelid
           where p.relkind = 'p' and p.relnamespace = current_schema()::regnamespace
           group by p.relname order by p.relname`,
  });
  return { ...row, size_bytes: Number(row.size_bytes), partitions };
}

async function readBackup(): Promise<InstanceState["backup"]> {
  const [last] = await sql.query<{
    folder: string;
    database: "cluster" | "dump";
    started_at: Date;
    ended_at: Date;
    file_bytes: string | null;
  }>({
    text: `select folder, database, started_at, ended_at, file_bytes
           from instance_backups order by ended_at desc limit 1`,
  });
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

interface OutboxRow {
  pending: number;
  last_sent_at: Date | null;
  failed_at: Date | null;
  last_error: string | null;
  given_up: boolean | null;
}

// Both tables keep their rows for weeks, and the newest are at the end of the primary key.
async function readOutbox(table: "outgoing_mails" | "operator_notifications") {
  const [row] = await sql.query<OutboxRow>({
    text: `select (select count(*)::int from ${table} where due_at is not null) as pending,
             (select max(sent_at) from ${table}) as last_sent_at, failed.*
           from (select) one left join lateral (
             select created_at as failed_at, last_error, due_at is null as given_up from ${table}
             where last_error is not null and sent_at is null order by id desc limit 1) failed on true`,
  });
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
