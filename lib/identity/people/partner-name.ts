import "server-only";
import type { Sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";

const PARTNER_NAME = statement("partner-name", "select name from partners where id = :partnerId");

/** The name of a partner, for emails. */
export async function partnerName(tx: Sql, partnerId: string): Promise<string> {
  const [row] = await tx.run(PARTNER_NAME, { partnerId });
  return row?.name ?? "";
}
