import "server-only";
import { redactEvents } from "@/lib/events/redact-events";
import type { Sql } from "@/lib/platform/db";
import { redactRequestBodies } from "@/lib/request-log/redact-request-bodies";
import { redactAnswers } from "@/lib/webhooks/redact-answers";
import { redactReplayPaths } from "@/lib/webhooks/redact-replay-paths";

/** Tables with content of messages, and queues with work on them. */
const BESIDE = ["message_edits", "reactions", "poll_votes", "poll_options", "chat_actions"] as const;

/**
 * Erases the content of messages from the table and from all that copies it: events, what receivers answered to them,
 * the JSON paths of replays that found them, the request log (contract.md 0). In the transaction that marks them deleted or expired, after that mark.
 */
export async function eraseContent(tx: Sql, accountId: string, messageIds: readonly string[]): Promise<void> {
  await tx.query({
    text: `update messages set parts = '[]', effect = null, reply_to = null
           where account_id = $1 and id = any($2::uuid[])`,
    values: [accountId, messageIds],
  });
  for (const table of BESIDE) {
    await tx.query({
      text: `delete from ${table} where account_id = $1 and message_id = any($2::uuid[])`,
      values: [accountId, messageIds],
    });
  }
  await redactEvents(tx, accountId, messageIds);
  await redactAnswers(tx, accountId, messageIds);
  await redactReplayPaths(tx, accountId, messageIds);
  await redactRequestBodies(tx, accountId, messageIds);
}
