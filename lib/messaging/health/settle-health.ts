import "server-only";
import { sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { now } from "@/lib/platform/time/clock";
import { chatHealthSql, healthDueSql } from "@/lib/recipients/health/chat-health";

const BATCH = 500;

const SETTLE_HEALTH = statement(
  "settle-health",
  `update chats c
  set health_due_at = ${healthDueSql("c.unanswered", ":now")},
    health_status = case when c.health_status = 'OPTED_OUT' then c.health_status
      else ${chatHealthSql("c.unanswered", ":now")} end,
    health_updated_at = case when c.health_status in ('OPTED_OUT', ${chatHealthSql("c.unanswered", ":now")})
      then c.health_updated_at else :now end
  from (
    select account_id, id from chats where health_due_at <= :now
    order by health_due_at limit ${BATCH} for no key update skip locked
  ) due
  where c.account_id = due.account_id and c.id = due.id
  returning c.id`,
);

/**
 * Updates the health, and its time, of chats that have recovered because their sends have aged. Ends early once `stop`
 * is aborted. Returns the number of chats.
 */
export async function settleHealth(stop: AbortSignal): Promise<number> {
  let settled = 0;
  while (!stop.aborted) {
    const rows = await sql.run(SETTLE_HEALTH, { now: now() });
    settled += rows.length;
    if (rows.length < BATCH) break;
  }
  return settled;
}
