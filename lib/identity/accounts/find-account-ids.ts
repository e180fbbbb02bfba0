import "server-only";
import type { Sql } from "@/lib/platform/database/db";

/** The ids of all accounts of a partner, which receive events about the whole partner. */
export async function findAccountIds(tx: Sql, partnerId: string): Promise<string[]> {
  const rows = await tx.query<{ id: string }>({
    name: "accounts-of-partner",
    text: "select id from accounts where partner_id = $1",
    values: [partnerId],
  });
  return rows.map((row) => row.id);
}
