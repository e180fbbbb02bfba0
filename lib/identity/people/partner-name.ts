import "server-only";
import type { Sql } from "@/lib/platform/database/db";

/** The name of a partner, for emails. */
export async function partnerName(tx: Sql, partnerId: string): Promise<string> {
  const [row] = await tx.query<{ name: string }>({
    name: "partner-name",
    text: "select name from partners where id = $1",
    values: [partnerId],
  });
  return row?.name ?? "";
}
