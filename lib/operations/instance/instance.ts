import "server-only";
import { z } from "zod";
import { contract } from "@/lib/platform/contract";

const PoolStates = z.record(z.string(), z.object({ idle: z.int(), active: z.int(), waiting: z.int() }));

/** The connections of each pool by state. */
export type PoolStates = z.infer<typeof PoolStates>;

const Alert = z.object({
  id: z.uuid(),
  type: z.string(),
  severity: z.enum(["warning", "critical"]),
  title: z.string(),
  description: z.string(),
  account: z.string().nullable(),
  environment: z.enum(["sandbox", "production"]).nullable(),
  opened_at: z.iso.datetime(),
  /** Since when the condition is over; the alert closes after five minutes. */
  calm_since: z.iso.datetime().nullable(),
});

const Process = z.object({
  id: z.uuid(),
  role: z.enum(["web", "worker", "all"]),
  host: z.string(),
  pid: z.int(),
  version: z.string(),
  node_version: z.string(),
  started_at: z.iso.datetime(),
  seen_at: z.iso.datetime(),
  /** Whether it has reported in the last minute. */
  is_live: z.boolean(),
  rss_bytes: z.int(),
  pools: PoolStates,
  disk: z.object({ folder: z.string(), free_bytes: z.int(), size_bytes: z.int() }).nullable(),
});

const Queue = z.object({
  name: z.enum(["messages", "webhooks", "actions", "mails"]),
  /** At most 10,000 are counted. */
  depth: z.int(),
  oldest_seconds: z.number(),
  is_old: z.boolean(),
});

const Partitions = z.object({
  table: z.string(),
  count: z.int(),
  /** Rows that no partition has, estimated: 0 when partitions are made in time. */
  default_rows: z.int(),
});

const Outbox = z.object({
  is_on: z.boolean(),
  pending: z.int(),
  last_sent_at: z.iso.datetime().nullable(),
  /** The newest that failed and has not been sent since. */
  last_error: z.object({ at: z.iso.datetime(), text: z.string(), given_up: z.boolean() }).nullable(),
});

export const GetInstance = contract({
  summary: "Get the state of the instance: alerts, processes, queues, database, backups and email",
  tag: "Instance",
  right: "view_instance",
  returns: z.object({
    at: z.iso.datetime(),
    /** The oldest 50 open alerts. */
    alerts: z.array(Alert),
    /** The processes that have reported in the last day, live ones first; at most 100. */
    processes: z.array(Process),
    queues: z.array(Queue),
    database: z.object({
      version: z.string(),
      size_bytes: z.int(),
      connections: z.int(),
      max_connections: z.int(),
      migrations: z.int(),
      last_migration: z.string(),
      partitions: z.array(Partitions),
    }),
    backup: z.object({
      /** The folder of scheduled backups; null without BACKUP_DIR. */
      folder: z.string().nullable(),
      every_hours: z.number(),
      last: z
        .object({
          folder: z.string(),
          database: z.enum(["cluster", "dump"]),
          started_at: z.iso.datetime(),
          ended_at: z.iso.datetime(),
          /** null = the files are in a bucket and not part of the backup. */
          file_bytes: z.int().nullable(),
        })
        .nullable(),
    }),
    mail: Outbox.extend({ sender: z.string().nullable() }),
    webhook: Outbox,
  }),
  status: 200,
  errors: ["access_denied"],
});

/** The state of the instance, for its operators. */
export type InstanceState = z.infer<typeof GetInstance.returns>;
