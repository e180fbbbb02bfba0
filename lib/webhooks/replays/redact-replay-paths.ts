import "server-only";
import type { Sql } from "@/lib/platform/database/db";

/** Replaces a JSON path that may quote erased content. */
export const ERASED_PATH = "(erased)";

/** Deletes the JSON paths of the account's replays that ended before `before`, whatever they matched. */
export async function redactOldReplayPaths(tx: Sql, accountId: string, before: Date): Promise<void> {
  await tx.query({
    text: `update webhook_replays
           set selection = jsonb_set(selection, '{filter,json_path}', to_jsonb($3::text))
           where account_id = $1 and created_at <= $2 and ended_at is not null
             and selection #> '{filter,json_path}' <> to_jsonb($3::text)`,
    values: [accountId, before, ERASED_PATH],
  });
}

/**
 * Deletes the JSON paths of replays that selected events of these messages, because a path may quote their content. The
 * array keeps the plan on the deliveries of these events, however many deliveries the account's replays have.
 */
export async function redactReplayPaths(
  tx: Sql,
  accountId: string,
  messageIds: readonly string[],
): Promise<void> {
  await tx.query({
    text: `update webhook_replays r
           set selection = jsonb_set(r.selection, '{filter,json_path}', to_jsonb($3::text))
           where r.account_id = $1 and r.selection #> '{filter,json_path}' <> to_jsonb($3::text) and r.id in (
             select d.replay_id from webhook_deliveries d
             where d.account_id = $1 and d.replay_id is not null and d.event_seq = any(array(
               select seq from events where account_id = $1 and message_id = any($2::uuid[]))))`,
    values: [accountId, messageIds, ERASED_PATH],
  });
}
