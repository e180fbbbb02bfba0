import "server-only";
import type { LineRef } from "@/lib/adapters/transports/refs";
import { sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";

const FIND_SENT_REF = statement(
  "find-sent-ref",
  `select r.ref, r.line_id from transport_refs r
  where r.account_id = :accountId and r.line_id = any(:lineIds::uuid[]) and r.ref = any(:refs::text[])
    and r.message_id is not null
  order by array_position(:refs::text[], r.ref) limit 1`,
);

/**
 * Finds which of the references belongs to a message that one of the lines sent, for receipts of messages from before
 * the bind was opened. The first reference that does wins. The lines are of one account.
 */
export async function findSentRef(
  lines: readonly LineRef[],
  refs: readonly string[],
): Promise<{ ref: string; lineId: string } | null> {
  const [row] = await sql.run(FIND_SENT_REF, {
    accountId: lines[0]?.accountId ?? null,
    lineIds: lines.map(({ id }) => id),
    refs,
  });
  return row === undefined ? null : { ref: row.ref, lineId: row.line_id };
}
