import "server-only";
import { redactEvents } from "@/lib/events/retention/redact-events";
import { removeFromSearch } from "@/lib/messaging/search/remove-from-search";
import type { Sql } from "@/lib/platform/database/db";
import { plannedStatement } from "@/lib/platform/database/statement";
import { redactRequestBodies } from "@/lib/request-log/retention/redact-request-bodies";
import { redactAnswers } from "@/lib/webhooks/deliveries/redact-answers";
import { redactReplayPaths } from "@/lib/webhooks/replays/redact-replay-paths";

/** Other tables with message content, and queues with work on messages. */
const BESIDE = ["message_edits", "reactions", "poll_votes", "poll_options", "chat_actions"] as const;

const DELETE_BESIDE = plannedStatement(
  "delete-beside-messages",
  `with ${BESIDE.map(
    (table) =>
      `of_${table} as (delete from ${table} where account_id = :accountId and message_id = any(:messageIds::uuid[]))`,
  ).join(", ")} select`,
);

const ERASE_CONTENT = plannedStatement(
  "erase-content",
  `update messages set parts = '[]', effect = null, reply_to = null
  where account_id = :accountId and id = any(:messageIds::uuid[])
    and (parts <> '[]' or effect is not null or reply_to is not null)`,
);

/**
 * Erases the content of messages from `messages` and from all copies: events, receivers' responses to them, JSON paths
 * of replays that matched them, and the request log (docs/contract.md, section 2.4). Call it in the transaction that
 * marks the messages deleted, after that update.
 */
export async function eraseContent(tx: Sql, accountId: string, messageIds: readonly string[]): Promise<void> {
  await tx.run(ERASE_CONTENT, { accountId, messageIds });
  await eraseContentElsewhere(tx, accountId, messageIds);
}

/**
 * Erases the content of messages from everything but `messages`. The request log comes last, because no request is
 * logged from then until the end of the transaction.
 */
export async function eraseContentElsewhere(
  tx: Sql,
  accountId: string,
  messageIds: readonly string[],
): Promise<void> {
  await tx.run(DELETE_BESIDE, { accountId, messageIds });
  await removeFromSearch(tx, accountId, messageIds);
  await redactEvents(tx, accountId, messageIds);
  await redactAnswers(tx, accountId, messageIds);
  await redactReplayPaths(tx, accountId, messageIds);
  await redactRequestBodies(tx, accountId, messageIds);
}
