import "server-only";
import type { LineRef } from "@/lib/adapters/transports/refs";
import { type LockedMessage, lockMessage } from "@/lib/messaging/messages/locked-message";
import type { Sql } from "@/lib/platform/database/db";

/** Locks the message with a transport's ref. Returns null when the message is unknown or was deleted. */
export async function lockReportedMessage(
  tx: Sql,
  line: LineRef,
  ref: string,
): Promise<LockedMessage | null> {
  const [found] = await tx.query<{ message_id: string }>({
    name: "find-reported-message",
    text: "select message_id from transport_refs where account_id = $1 and line_id = $2 and ref = $3",
    values: [line.accountId, line.id, ref],
  });
  return found === undefined ? null : lockMessage(tx, line.accountId, found.message_id);
}
