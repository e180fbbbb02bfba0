import "server-only";
import { z } from "zod";
import type { Context } from "@/lib/platform/context";
import { sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { MAX_COUNTED_ROWS } from "@/lib/platform/lists/total-of";
import type { HealthStatus } from "@/lib/platform/prisma/enums";

export const HealthCounts = z.object({
  CRITICAL: z.int(),
  AT_RISK: z.int(),
  OPTED_OUT: z.int(),
  HEALTHY: z.int(),
});
type HealthCounts = z.infer<typeof HealthCounts>;

function countSql(status: HealthStatus): string {
  return `(select count(*)::int from (
      select from chats where account_id = :accountId and (:lineId::uuid is null or line_id = :lineId)
        and health_status = '${status}' and left_at is null limit ${MAX_COUNTED_ROWS + 1}) counted) as "${status}!"`;
}

const COUNT_CHATS_BY_HEALTH = statement(
  "count-chats-by-health",
  `select ${countSql("CRITICAL")}, ${countSql("AT_RISK")}, ${countSql("OPTED_OUT")}, ${countSql("HEALTHY")}`,
);

/** Counts the account's chats by health, for all lines or for one, in one statement. Stops counting after 1,001. */
export async function countChatsByHealth(ctx: Context, lineId: string | null): Promise<HealthCounts> {
  const [counts] = await sql.run(COUNT_CHATS_BY_HEALTH, { accountId: ctx.account.id, lineId });
  if (counts === undefined) throw new Error("a count answered no row");
  return counts;
}
