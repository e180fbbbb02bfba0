import "server-only";
import { EVENTS_OF_MESSAGES } from "@/lib/events/retention/redact-events";
import type { Sql } from "@/lib/platform/database/db";
import { plannedStatement } from "@/lib/platform/database/statement";

/** Headers that say how long and of which type a response was. Any other may echo the event, such as `location`. */
const NEUTRAL = "array['content-length', 'content-type', 'server', 'retry-after']";

const REDACT_ATTEMPT_RESPONSES = plannedStatement(
  "redact-attempt-responses",
  `update webhook_attempts set response_body = null, response_headers = null
  where account_id = :accountId and (response_body <> '' or response_headers::jsonb - ${NEUTRAL} <> '{}')
    and event_seq = any(array(${EVENTS_OF_MESSAGES}))`,
);

/**
 * Deletes the responses of receivers to events of these messages, because a response may echo the content. The attempts are
 * found by the events alone: with their deliveries, PostgreSQL read all deliveries of the account up to these events. The
 * array keeps the plan on the primary key.
 */
export async function redactAnswers(
  tx: Sql,
  accountId: string,
  messageIds: readonly string[],
): Promise<void> {
  await tx.run(REDACT_ATTEMPT_RESPONSES, { accountId, messageIds });
}
