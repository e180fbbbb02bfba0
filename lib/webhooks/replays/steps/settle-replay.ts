import "server-only";
import { type Sql, transaction } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { wallNow } from "@/lib/platform/time/clock";
import type { ChatQueue } from "@/lib/webhooks/deliveries/chat-queue";
import { passQueues } from "@/lib/webhooks/deliveries/pass-turns";
import { ERASED_PATH } from "@/lib/webhooks/replays/redact-replay-paths";
import { countsOf } from "@/lib/webhooks/replays/webhook-replay";

interface ReplayKey {
  accountId: string;
  id: string;
}

const LOCK_REPLAY = statement(
  "lock-replay",
  `select state from webhook_replays
  where account_id = :accountId and id = :replayId and ended_at is null for update`,
);

/**
 * Ends a replay that holds nothing back once its last delivery has ended. Does nothing while a delivery is pending or
 * in flight. `at` is the platform clock.
 */
export async function settleReplay(replay: ReplayKey, at: Date): Promise<void> {
  const queues = await transaction(async (tx) => {
    const [row] = await tx.run(LOCK_REPLAY, { accountId: replay.accountId, replayId: replay.id });
    const left = row?.state === "canceled" ? await deleteUnsent(tx, replay, at) : [];
    if (row !== undefined) await endReplay(tx, replay, at);
    return left;
  });
  await passQueues(queues);
}

const DROP_UNSENT_DELIVERIES = statement(
  "drop-unsent-deliveries",
  `with unsent as (
    delete from webhook_deliveries
    where account_id = :accountId and replay_id = :id and status = 'waiting' and attempts = 0
    returning subscription_id, queue_chat_id
  ), forgotten as (
    update webhook_replays set selection = jsonb_set(selection, '{filter,json_path}', to_jsonb(:erasedpath::text))
    where account_id = :accountId and id = :id and selection #> '{filter,json_path}' is not null
  ), ended as (
    update webhook_deliveries set status = 'failed', run_at = null, lease_until = null, ended_at = :endedAt
    where account_id = :accountId and replay_id = :id and status = 'waiting' and attempts > 0
      and (lease_until is null or lease_until <= :wallNow)
    returning subscription_id, queue_chat_id
  )
  select distinct :accountId::uuid as "accountId!", subscription_id as "subscriptionId!", queue_chat_id as "chatId!"
  from (select * from unsent union all select * from ended) gone where queue_chat_id is not null`,
);

/**
 * Removes the unsent deliveries of a canceled replay; those with failed attempts end as failed. Deliveries in flight
 * complete. The replay's JSON path is deleted too, because nothing would connect it to the messages it quotes when they
 * are erased. Returns the queues of the deliveries, whose turn the caller passes after the commit.
 */
export function deleteUnsent(tx: Sql, { accountId, id }: ReplayKey, at: Date): Promise<ChatQueue[]> {
  return tx.run(DROP_UNSENT_DELIVERIES, {
    accountId,
    id,
    endedAt: at,
    wallNow: wallNow(),
    erasedpath: ERASED_PATH,
  });
}

const END_REPLAY = statement(
  "end-replay",
  `update webhook_replays r
  set state = (case when state = 'canceled' then 'canceled' else 'done' end)::webhook_replay_state,
    run_at = null, ended_at = :endedAt, delivered = c.delivered, failed = c.failed, skipped = c.skipped
  from (${countsOf(":accountId", ":id")}) c
  where r.account_id = :accountId and r.id = :id and r.state in ('running', 'canceled') and not exists (
    select 1 from webhook_deliveries d
    where d.account_id = :accountId and d.replay_id = :id and d.status = 'waiting')`,
);

/** Ends a replay unless a delivery is pending or in flight. */
export async function endReplay(tx: Sql, { accountId, id }: ReplayKey, at: Date): Promise<void> {
  await tx.run(END_REPLAY, { accountId, id, endedAt: at });
}
