import "server-only";
import { z } from "zod";
import type { Context } from "@/lib/platform/context";
import { sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";

const MAX_COUNTED = 1000;

/** The messages of a line that wait to be sent. */
export const LineQueue = z.object({
  /** Counted up to 1,000. */
  waiting: z.int(),
  /** When the oldest of them was accepted; null = none waits. */
  oldest_at: z.iso.datetime().nullable(),
  /** The throughput of the line's connection, for which messages wait in the queue; null = no limit. */
  sends_per_second: z.number().nullable(),
});
type LineQueue = z.infer<typeof LineQueue>;

const EMPTY: LineQueue = { waiting: 0, oldest_at: null, sends_per_second: null };

const QUEUES_OF_LINES = statement(
  "queues-of-lines",
  `select l.id as line_id, q.waiting, q.oldest_at, l.sends_per_second
  from lines l cross join lateral (
    select count(*)::int as waiting, min(created_at) as oldest_at from (
      select m.created_at from messages m
      where m.account_id = l.account_id and m.line_id = l.id and m.dispatch_at is not null
      order by m.chat_id, m.position limit ${MAX_COUNTED}
    ) pending
  ) q
  where l.account_id = :accountId and l.released_at is null and (:lineId::uuid is null or l.id = :lineId)`,
);

/**
 * The queue of each of the account's lines, or of one, in one statement. Reads only messages that wait, from their
 * index, whatever the length of the history.
 */
export async function readLineQueues(
  ctx: Context,
  lineId: string | null = null,
): Promise<(lineId: string) => LineQueue> {
  const rows = await sql.run(QUEUES_OF_LINES, { accountId: ctx.account.id, lineId });
  const queues = new Map(
    rows.map(({ line_id, waiting, oldest_at, sends_per_second }) => [
      line_id,
      { waiting, oldest_at: oldest_at?.toISOString() ?? null, sends_per_second },
    ]),
  );
  return (id) => queues.get(id) ?? EMPTY;
}
