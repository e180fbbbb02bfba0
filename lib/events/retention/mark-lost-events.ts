import "server-only";
import type { Sql } from "@/lib/platform/database/db";

/**
 * Marks the consumers that have not acknowledged an event of `table`, a detached partition of events, in the transaction
 * that drops it. Their next poll says that events are gone.
 */
export async function markLostEvents(tx: Sql, table: string): Promise<void> {
  await tx.runText({
    text: `update event_consumers c set lost_through = l.seq
           from (
             select s.account_id, s.name, (
               select e.seq from ${table} e
               where e.account_id = s.account_id and e.seq > s.position and not e.internal
               order by e.seq desc limit 1) as seq
             from event_consumers s
           ) l
           where c.account_id = l.account_id and c.name = l.name and l.seq > greatest(c.position, c.lost_through)`,
  });
}

/** The CTE `marked`: like `markLostEvents`, for the events that the CTE `swept` (account_id, seq) deletes. */
export const MARK_SWEPT_EVENTS = `marked as (
  update event_consumers c set lost_through = l.seq
  from (select account_id, max(seq) as seq from swept where not internal group by account_id) l
  where c.account_id = l.account_id and l.seq > greatest(c.position, c.lost_through)
)`;
