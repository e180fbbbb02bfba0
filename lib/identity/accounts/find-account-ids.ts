import "server-only";
import type { Sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";

const ACCOUNTS_OF_PARTNER = statement(
  "accounts-of-partner",
  "select id from accounts where partner_id = :partnerId",
);

/** The ids of all accounts of a partner, which receive events about the whole partner. */
export async function findAccountIds(tx: Sql, partnerId: string): Promise<string[]> {
  const rows = await tx.run(ACCOUNTS_OF_PARTNER, { partnerId });
  return rows.map((row) => row.id);
}
