import "server-only";
import type { LineRef } from "@/lib/adapters/transports/refs";
import { sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";

/** The reason of a line that was just connected and has no state yet. */
export const CONNECTING = "connecting";

const EXPLAIN_LINE_DOWN = statement(
  "explain-line-down",
  `update lines set down_reason = :reason
  where account_id = :accountId and id = :id and not is_up and (down_reason is null or down_reason = :connecting)`,
);

/**
 * Records why a line that is down can't send, if no reason is known: a session that could not be opened, a poll or a
 * send that failed. Does nothing for a line that is up.
 */
export async function explainLineDown(
  { accountId, id }: Pick<LineRef, "accountId" | "id">,
  reason: string,
): Promise<void> {
  await sql.run(EXPLAIN_LINE_DOWN, { accountId, id, reason, connecting: CONNECTING });
}
