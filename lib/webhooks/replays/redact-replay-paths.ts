import "server-only";
import { EVENTS_OF_MESSAGES } from "@/lib/events/retention/redact-events";
import type { Sql } from "@/lib/platform/database/db";
import { plannedStatement } from "@/lib/platform/database/statement";

/** Replaces a JSON path that may quote erased content. */
export const ERASED_PATH = "(erased)";

const REDACT_OLD_REPLAY_PATHS = plannedStatement(
  "redact-old-replay-paths",
  `update webhook_replays
  set selection = jsonb_set(selection, '{filter,json_path}', to_jsonb(:erasedpath::text))
  where account_id = :accountId and created_at <= :before and ended_at is not null
    and selection #> '{filter,json_path}' <> to_jsonb(:erasedpath::text)`,
);

/** Deletes the JSON paths of the account's replays that ended before `before`, whatever they matched. */
export async function redactOldReplayPaths(tx: Sql, accountId: string, before: Date): Promise<void> {
  await tx.run(REDACT_OLD_REPLAY_PATHS, { accountId, before, erasedpath: ERASED_PATH });
}

const REDACT_REPLAY_PATHS = plannedStatement(
  "redact-replay-paths",
  `update webhook_replays r
  set selection = jsonb_set(r.selection, '{filter,json_path}', to_jsonb(:erasedpath::text))
  where r.account_id = :accountId and r.selection #> '{filter,json_path}' <> to_jsonb(:erasedpath::text) and r.id in (
    select d.replay_id from webhook_deliveries d
    where d.account_id = :accountId and d.replay_id is not null and d.event_seq = any(array(${EVENTS_OF_MESSAGES})))`,
);

/**
 * Deletes the JSON paths of replays that selected events of these messages, because a path may quote their content. The
 * array keeps the plan on the deliveries of these events, however many deliveries the account's replays have.
 */
export async function redactReplayPaths(
  tx: Sql,
  accountId: string,
  messageIds: readonly string[],
): Promise<void> {
  await tx.run(REDACT_REPLAY_PATHS, { accountId, messageIds, erasedpath: ERASED_PATH });
}
