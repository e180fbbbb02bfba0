import "server-only";
import { statfs } from "node:fs/promises";
import { hostname } from "node:os";
import path from "node:path";
import { inBackground } from "@/lib/platform/database/database-scope";
import { poolStates, sql } from "@/lib/platform/database/db";
import { plannedStatement, statement } from "@/lib/platform/database/statement";
import { env } from "@/lib/platform/env";
import { newId } from "@/lib/platform/ids";
import { type Flushing, flushEvery } from "@/lib/platform/tasks/flush-every";
import { version } from "@/package.json";

/** Shorter than the time after which a process counts as gone (LIVE_SECONDS). */
const EVERY_MS = 15_000;
/** A process that has not reported for this long has ended, or can't reach the database. */
export const LIVE_SECONDS = 60;

/** Reports this process every 15 s, until stopped. A process that stops removes its report. */
export function startProcessReports(): { stop(): Promise<void> } {
  const own = { id: newId(Date.now()), startedAt: new Date(Date.now() - process.uptime() * 1000) };
  let isStopped = false;
  const reports: Flushing = flushEvery({
    name: "the report of this process",
    everyMs: EVERY_MS,
    flush: () => inBackground(() => (isStopped ? removeReport(own.id) : reportProcess(own))),
  });
  reports.now();
  return {
    async stop() {
      isStopped = true;
      await reports.stop();
    },
  };
}

const REPORT_PROCESS = statement(
  "report-process",
  `with old as (delete from instance_processes where seen_at < now() - interval '1 day')
  insert into instance_processes (id, role, host, pid, version, node_version, started_at, seen_at, rss_bytes,
    pools, disk_folder, disk_free_bytes, disk_size_bytes)
  values (:id, :role, :hostname, :pid, :version, :nodeVersion, :startedAt, statement_timestamp(), :rssBytes, :poolStates, :folder, :freeBytes, :sizeBytes)
  on conflict (id) do update set seen_at = excluded.seen_at, rss_bytes = excluded.rss_bytes,
    pools = excluded.pools, disk_free_bytes = excluded.disk_free_bytes,
    disk_size_bytes = excluded.disk_size_bytes`,
);

/** Stores the state of this process. Reports of processes that ended a day ago are deleted. */
export async function reportProcess({ id, startedAt }: { id: string; startedAt: Date }): Promise<void> {
  const disk = await readDisk();
  await sql.run(REPORT_PROCESS, {
    id,
    role: env().ROLE,
    hostname: hostname(),
    pid: process.pid,
    version,
    nodeVersion: process.version,
    startedAt,
    rssBytes: process.memoryUsage.rss(),
    poolStates: JSON.stringify(poolStates()),
    folder: disk?.folder ?? null,
    freeBytes: disk?.freeBytes ?? null,
    sizeBytes: disk?.sizeBytes ?? null,
  });
}

const REMOVE_PROCESS_REPORT = plannedStatement(
  "remove-process-report",
  "delete from instance_processes where id = :id",
);

async function removeReport(id: string): Promise<void> {
  await sql.run(REMOVE_PROCESS_REPORT, { id });
}

interface Disk {
  folder: string;
  freeBytes: number;
  sizeBytes: number;
}

// With a bucket and a database of its own, a process stores nothing in DATA_DIR, which then need not exist.
async function readDisk(): Promise<Disk | null> {
  const folder = path.resolve(env().DATA_DIR);
  const found = await statfs(folder).catch(() => null);
  if (found === null) return null;
  return { folder, freeBytes: found.bavail * found.bsize, sizeBytes: found.blocks * found.bsize };
}
