import "server-only";
import type { LineRef } from "@/lib/adapters/transports/refs";
import { sql } from "@/lib/platform/database/db";

/** The reason of a line that was just connected and has no state yet. */
export const CONNECTING = "connecting";

/**
 * Records why a line that is down can't send, if no reason is known: a session that could not be opened, a poll or a
 * send that failed. Does nothing for a line that is up.
 */
export async function explainLineDown(
  { accountId, id }: Pick<LineRef, "accountId" | "id">,
  reason: string,
): Promise<void> {
  await sql.query({
    name: "explain-line-down",
    text: `update lines set down_reason = $3
           where account_id = $1 and id = $2 and not is_up and (down_reason is null or down_reason = $4)`,
    values: [accountId, id, reason, CONNECTING],
  });
}
