import "server-only";
import { z } from "zod";
import { isStopped } from "@/lib/events/store/delivery-state";
import type { Sql } from "@/lib/platform/database/db";
import { plannedStatement } from "@/lib/platform/database/statement";

/** The number of an event's deliveries by status. Each subscription has one delivery. */
export const DeliveryCounts = z.object({
  waiting: z.int(),
  stopped: z.int(),
  delivered: z.int(),
  failed: z.int(),
  skipped: z.int(),
});

export type DeliveryCounts = z.infer<typeof DeliveryCounts>;

const NONE: DeliveryCounts = { waiting: 0, stopped: 0, delivered: 0, failed: 0, skipped: 0 };

const COUNT_DELIVERIES = plannedStatement(
  "count-deliveries",
  `select event_seq, (count(*) filter (where status = 'waiting' and not ${isStopped("d")}))::int as "waiting!",
    (count(*) filter (where ${isStopped("d")}))::int as "stopped!",
    count(*) filter (where status = 'delivered')::int as delivered,
    count(*) filter (where status = 'failed')::int as failed,
    count(*) filter (where status = 'skipped')::int as skipped
  from webhook_deliveries d where account_id = :accountId and event_seq = any(:eventSeqs::bigint[]) group by event_seq`,
);

/** Counts the deliveries of several events of an account, in one statement. */
export async function countDeliveries(
  on: Sql,
  accountId: string,
  eventSeqs: readonly string[],
): Promise<(eventSeq: string) => DeliveryCounts> {
  const rows = await on.run(COUNT_DELIVERIES, { accountId, eventSeqs });
  const counts = new Map(rows.map(({ event_seq, ...count }) => [event_seq, count]));
  return (eventSeq) => counts.get(eventSeq) ?? NONE;
}
