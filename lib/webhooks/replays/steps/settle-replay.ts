import "server-only";
import { type Sql, transaction } from "@/lib/platform/database/db";
import { wallNow } from "@/lib/platform/time/clock";
import { ERASED_PATH } from "@/lib/webhooks/replays/redact-replay-paths";
import { countsOf } from "@/lib/webhooks/replays/webhook-replay";

interface ReplayKey {
  accountId: string;
  id: string;
}

/**
 * Ends a replay that holds nothing back once its last delivery has ended. Does nothing while a delivery is pending or
 * in flight. `at` is the platform clock.
 */
export function settleReplay(replay: ReplayKey, at: Date): Promise<void> {
  return transaction(async (tx) => {
    const [row] = await tx.query<{ state: string }>({
      name: "lock-replay",
      text: `select state from webhook_replays
             where account_id = $1 and id = $2 and ended_at is null for update`,
      values: [replay.accountId, replay.id],
    });
    if (row?.state === "canceled") await deleteUnsent(tx, replay, at);
    if (row !== undefined) await endReplay(tx, replay, at);
  });
}

/**
 * Removes the unsent deliveries of a canceled replay; those with failed attempts end as failed. Deliveries in flight
 * complete. The replay's JSON path is deleted too, because nothing would connect it to the messages it quotes when they
 * are erased.
 */
export async function deleteUnsent(tx: Sql, { accountId, id }: ReplayKey, at: Date): Promise<void> {
  await tx.query({
    name: "drop-unsent",
    text: `with unsent as (
             delete from webhook_deliveries
             where account_id = $1 and replay_id = $2 and status = 'waiting' and attempts = 0
           ), forgotten as (
             update webhook_replays set selection = jsonb_set(selection, '{filter,json_path}', to_jsonb($5::text))
             where account_id = $1 and id = $2 and selection #> '{filter,json_path}' is not null
           )
           update webhook_deliveries set status = 'failed', run_at = null, lease_until = null, ended_at = $3
           where account_id = $1 and replay_id = $2 and status = 'waiting' and attempts > 0
             and (lease_until is null or lease_until <= $4)`,
    values: [accountId, id, at, wallNow(), ERASED_PATH],
  });
}

/** Ends a replay unless a delivery is pending or in flight. */
export async function endReplay(tx: Sql, { accountId, id }: ReplayKey, at: Date): Promise<void> {
  await tx.query({
    name: "end-replay",
    text: `update webhook_replays r
           set state = (case when state = 'canceled' then 'canceled' else 'done' end)::webhook_replay_state,
             run_at = null, ended_at = $3, delivered = c.delivered, failed = c.failed, skipped = c.skipped
           from (${countsOf("$1", "$2")}) c
           where r.account_id = $1 and r.id = $2 and r.state in ('running', 'canceled') and not exists (
             select 1 from webhook_deliveries d
             where d.account_id = $1 and d.replay_id = $2 and d.status = 'waiting')`,
    values: [accountId, id, at],
  });
}
