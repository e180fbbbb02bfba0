import "server-only";
import { sql } from "@/lib/platform/database/db";
import { plannedStatement } from "@/lib/platform/database/statement";
import { now, wallNow } from "@/lib/platform/time/clock";
import { passQueues } from "@/lib/webhooks/deliveries/pass-turns";

// Deliveries in flight complete.
const END = plannedStatement(
  "end-orphaned-deliveries",
  `update webhook_deliveries d set status = 'skipped', run_at = null, lease_until = null, ended_at = :now
  where d.status = 'waiting'
    and (d.run_at is not null or (d.replay_id is not null and d.run_at is null and d.queue_chat_id is null) or d.queue_chat_id is not null)
    and (d.lease_until is null or d.lease_until <= :wallNow)
    and not exists (select 1 from events e where e.account_id = d.account_id and e.seq = d.event_seq)
  returning account_id as "accountId", subscription_id as "subscriptionId", queue_chat_id as "chatId"`,
);

/**
 * Ends deliveries without an event as skipped. Retention may delete an event at the moment when a replay selects it,
 * and the replay would wait for it forever. Returns the number of deliveries ended.
 */
export async function endOrphanedDeliveries(): Promise<number> {
  const rows = await sql.run(END, { now: now(), wallNow: wallNow() });
  if (rows.length > 0) sql.wake("replays");
  await passQueues(rows.flatMap(({ chatId, ...row }) => (chatId === null ? [] : [{ ...row, chatId }])));
  return rows.length;
}
