import "server-only";
import type { Sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";

const IS_BLOCKED = statement(
  "is-blocked",
  "select 1 from contacts where account_id = :accountId and handle = :handle and blocked_at is not null",
);

/** Whether an account has blocked a handle. */
export async function isBlocked(tx: Sql, accountId: string, handle: string): Promise<boolean> {
  const rows = await tx.run(IS_BLOCKED, { accountId, handle });
  return rows.length > 0;
}
