import "server-only";
import type { ClaimedMessage } from "@/lib/messaging/dispatch/claim/claim-statement";
import { type MessageSnapshot, SNAPSHOT, SNAPSHOT_JOINS } from "@/lib/messaging/messages/message-snapshot";
import { sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";

const READ_IN_PROGRESS = statement(
  "read-in-progress",
  `select ${SNAPSHOT} from messages m ${SNAPSHOT_JOINS}
  where m.account_id = :accountId and m.id = :id and m.dispatch_attempts = :attempt
    and m.dispatch_lease_until is not null`,
);

/** Reads a claimed message again. Returns null when its attempt no longer counts. */
export async function readInProgress({
  account_id,
  id,
  attempt,
}: Pick<ClaimedMessage, "account_id" | "id" | "attempt">): Promise<MessageSnapshot | null> {
  const [row] = await sql.run(READ_IN_PROGRESS, { accountId: account_id, id, attempt });
  return row ?? null;
}
