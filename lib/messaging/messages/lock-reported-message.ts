import "server-only";
import type { LineRef } from "@/lib/adapters/transports/refs";
import { type LockedMessage, lockMessage } from "@/lib/messaging/messages/locked-message";
import type { Sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";

const FIND_REPORTED_MESSAGE = statement(
  "find-reported-message",
  `select message_id from transport_refs where account_id = :accountId and line_id = :lineId and ref = :ref`,
);

/** Locks the message with a transport's ref. Returns null when the ref is unknown or
 * belongs to a change of the chat, or the message was deleted. */
export async function lockReportedMessage(
  tx: Sql,
  line: LineRef,
  ref: string,
): Promise<LockedMessage | null> {
  const [found] = await tx.run(FIND_REPORTED_MESSAGE, { accountId: line.accountId, lineId: line.id, ref });
  const messageId = found?.message_id ?? null;
  return messageId === null ? null : lockMessage(tx, line.accountId, messageId);
}
