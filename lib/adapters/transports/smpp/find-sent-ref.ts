import "server-only";
import type { LineRef } from "@/lib/adapters/transports/refs";
import { sql } from "@/lib/platform/database/db";

/**
 * Finds which of the references belongs to a message that one of the lines sent, for receipts of messages from before
 * the bind was opened. The first reference that does wins. The lines are of one account.
 */
export async function findSentRef(
  lines: readonly LineRef[],
  refs: readonly string[],
): Promise<{ ref: string; lineId: string } | null> {
  const [row] = await sql.query<{ ref: string; line_id: string }>({
    name: "find-sent-ref",
    text: `select r.ref, r.line_id from transport_refs r
           where r.account_id = $1 and r.line_id = any($2::uuid[]) and r.ref = any($3::text[])
             and r.message_id is not null
           order by array_position($3::text[], r.ref) limit 1`,
    values: [lines[0]?.accountId ?? null, lines.map(({ id }) => id), refs],
  });
  return row === undefined ? null : { ref: row.ref, lineId: row.line_id };
}
