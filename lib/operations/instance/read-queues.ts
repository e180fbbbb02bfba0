import "server-only";
import type { Sql } from "@/lib/platform/database/db";
import { plannedStatement } from "@/lib/platform/database/statement";

const MAX_COUNTED = 10_000;
/** A line with a throughput and due messages that has sent none for so long is stalled. */
const STALLED_SECONDS = 60;

/** The due items of a queue, of the whole instance. */
export interface QueueState {
  queue: "messages" | "webhooks" | "actions" | "mails";
  /** At most 10,000 are counted. */
  depth: number;
  /**
   * How long the oldest of them has been waiting; 0 without one. Messages that wait for their turn on a line with a
   * throughput are left out while the line sends.
   */
  oldestSeconds: number;
}

// Each part reads a partial index of pending items, at most MAX_COUNTED entries of it.
const QUEUES = plannedStatement(
  "read-queues",
  `
  select 'messages' as "queue: 'webhooks' | 'messages' | 'actions' | 'mails'", count(*)::int as depth,
    extract(epoch from :dispatchAt - min(at) filter (where paced.id is null))::float8 as "oldestSeconds"
  from (select created_at as at, account_id, line_id from messages where dispatch_at <= :dispatchAt limit ${MAX_COUNTED}) pending
    left join lines paced on paced.account_id = pending.account_id and paced.id = pending.line_id and paced.is_up
      and paced.sends_per_second is not null and paced.next_send_at > :dispatchAt - interval '${STALLED_SECONDS} seconds'
  union all
  select 'webhooks', count(*)::int, extract(epoch from :dispatchAt - min(at))::float8
  from (select run_at as at from webhook_deliveries where run_at <= :dispatchAt limit ${MAX_COUNTED}) pending
  union all
  select 'actions', count(*)::int, extract(epoch from :dispatchAt - min(at))::float8
  from (select run_at as at from chat_actions where run_at <= :dispatchAt limit ${MAX_COUNTED}) pending
  union all
  select 'mails', count(*)::int, extract(epoch from :dispatchAt - min(at))::float8
  from (select due_at as at from outgoing_mails where due_at <= :dispatchAt limit ${MAX_COUNTED}) pending`,
);

/** The state of every queue at a time of the platform clock. */
export async function readQueues(on: Sql, at: Date): Promise<QueueState[]> {
  const rows = await on.run(QUEUES, { dispatchAt: at });
  return rows.map((row) => ({ ...row, oldestSeconds: Math.max(0, row.oldestSeconds ?? 0) }));
}
