import "server-only";
import type { ClaimedMessage } from "@/lib/messaging/dispatch/claim/claim-statement";
import { type MessageSnapshot, SNAPSHOT, SNAPSHOT_JOINS } from "@/lib/messaging/messages/message-snapshot";
import { sql } from "@/lib/platform/database/db";

/** Reads a claimed message again. Returns null when its attempt no longer counts. */
export async function readInProgress({
  account_id,
  id,
  attempt,
}: Pick<ClaimedMessage, "account_id" | "id" | "attempt">): Promise<MessageSnapshot | null> {
  const [row] = await sql.query<MessageSnapshot>({
    name: "read-in-progress",
    text: `select ${SNAPSHOT} from messages m ${SNAPSHOT_JOINS}
           where m.account_id = $1 and m.id = $2 and m.dispatch_attempts = $3 and m.dispatch_lease_until is not null`,
    values: [account_id, id, attempt],
  });
  return row ?? null;
}
