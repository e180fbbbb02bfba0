import "server-only";
import type { Sql } from "@/lib/platform/database/db";

/** Whether an account has blocked a handle. */
export async function isBlocked(tx: Sql, accountId: string, handle: string): Promise<boolean> {
  const rows = await tx.query({
    name: "is-blocked",
    text: "select 1 from contacts where account_id = $1 and handle = $2 and blocked_at is not null",
    values: [accountId, handle],
  });
  return rows.length > 0;
}
