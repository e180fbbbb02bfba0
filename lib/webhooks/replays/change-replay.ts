import "server-only";
import { z } from "zod";
import { recordAudit } from "@/lib/identity/audit/record-audit";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { type Sql, transaction } from "@/lib/platform/database/db";
import { plannedStatement } from "@/lib/platform/database/statement";
import { fail } from "@/lib/platform/errors/errors";
import { wallNow } from "@/lib/platform/time/clock";
import type { ChatQueue } from "@/lib/webhooks/deliveries/chat-queue";
import { passQueues } from "@/lib/webhooks/deliveries/pass-turns";
import { readReplay } from "@/lib/webhooks/replays/get-replay";
import { deleteUnsent, endReplay } from "@/lib/webhooks/replays/steps/settle-replay";
import { ReplaySpeed, WebhookReplay } from "@/lib/webhooks/replays/webhook-replay";

export const ChangeReplay = contract({
  summary: "Pause, resume, cancel or slow down a replay",
  tag: "Webhooks",
  right: "manage_webhooks",
  params: z.object({ replayId: z.uuid() }),
  body: z.object({
    state: z.enum(["running", "paused", "canceled"]).optional(),
    per_second: ReplaySpeed.optional(),
  }),
  returns: WebhookReplay,
  status: 200,
  errors: ["access_denied", "name_unknown", "state_conflict", "parameter_invalid"],
});

type State = NonNullable<Input<typeof ChangeReplay>["body"]["state"]>;

interface LockedReplay {
  accountId: string;
  id: string;
  state: WebhookReplay["state"];
  isActive: boolean;
}

/**
 * Pauses a replay (deliveries not in flight wait), resumes it, cancels it (unsent deliveries are never sent), or
 * changes its speed. After an automatic replay was canceled, no other one begins with what was missed until then.
 * Errors: access_denied, name_unknown, state_conflict when it has ended or cannot run.
 */
export async function changeReplay(
  ctx: Context,
  { params, body }: Input<typeof ChangeReplay>,
): Promise<WebhookReplay> {
  const queues = await transaction(async (tx) => {
    // Locks the subscription before the replay, like a change of the subscription.
    if (body.state === "canceled") {
      await tx.run(GIVE_UP_MISSED, {
        accountId: ctx.account.id,
        replayId: params.replayId,
        now: ctx.now,
      });
    }
    const replay = await lockReplay(tx, ctx, params.replayId);
    if (replay.state === "done" || replay.state === "canceled") {
      fail("state_conflict", `the replay is ${replay.state}`);
    }
    if (body.per_second !== undefined) await setSpeed(tx, replay, body.per_second);
    const left = body.state === undefined ? [] : await CHANGES[body.state](tx, ctx, replay);
    await recordAudit(tx, ctx, "webhook_replay.updated", "webhook_replay", replay.id, body);
    tx.wake("replays");
    return left;
  });
  // Deliveries that were held back or deleted may have had the turn of their chat.
  await passQueues(queues);

  return readReplay(ctx, params.replayId);
}

const CHANGES = {
  running: resume,
  paused: pause,
  canceled: cancel,
} satisfies Record<State, (tx: Sql, ctx: Context, replay: LockedReplay) => Promise<ChatQueue[]>>;

const LOCK_REPLAY_WITH_ENDPOINT = plannedStatement(
  "lock-replay-with-endpoint",
  `select r.state, s.is_active from webhook_replays r
  join webhook_subscriptions s on s.account_id = r.account_id and s.id = r.subscription_id
  where r.account_id = :accountId and r.id = :id for update of r`,
);

async function lockReplay(tx: Sql, ctx: Context, id: string): Promise<LockedReplay> {
  const [row] = await tx.run(LOCK_REPLAY_WITH_ENDPOINT, { accountId: ctx.account.id, id });
  if (row === undefined) return fail("name_unknown", "the account has no replay with this ID");
  return {
    accountId: ctx.account.id,
    id,
    state: row.state,
    isActive: row.is_active,
  };
}

const SET_REPLAY_SPEED = plannedStatement(
  "set-replay-speed",
  "update webhook_replays set per_second = :perSecond where account_id = :accountId and id = :id",
);

async function setSpeed(tx: Sql, { accountId, id }: LockedReplay, perSecond: number): Promise<void> {
  await tx.run(SET_REPLAY_SPEED, { accountId, id, perSecond });
}

const RESUME_REPLAY = plannedStatement(
  "resume-replay",
  `update webhook_replays set state = 'running', reason = null, run_at = :now
  where account_id = :accountId and id = :replayId and state = 'paused'`,
);

async function resume(tx: Sql, ctx: Context, replay: LockedReplay): Promise<ChatQueue[]> {
  if (!replay.isActive) fail("state_conflict", "the subscription is not active: enable it first");
  await tx.run(RESUME_REPLAY, { accountId: replay.accountId, replayId: replay.id, now: ctx.now });
  return [];
}

const PAUSE_REPLAY = plannedStatement(
  "pause-replay",
  "update webhook_replays set state = 'paused', reason = null, run_at = null where account_id = :accountId and id = :id",
);

const PAUSE_REPLAY_DELIVERIES = plannedStatement(
  "pause-replay-deliveries",
  `update webhook_deliveries set run_at = null, lease_until = null, queue_chat_id = null
  where account_id = :accountId and replay_id = :id and status = 'waiting'
    and (run_at is not null or queue_chat_id is not null) and (lease_until is null or lease_until <= :wallNow)`,
);

const FIND_QUEUES_OF_REPLAY = plannedStatement(
  "find-queues-of-replay",
  `select distinct account_id as "accountId", subscription_id as "subscriptionId!", queue_chat_id as "chatId!"
  from webhook_deliveries
  where account_id = :accountId and replay_id = :id and status = 'waiting' and queue_chat_id is not null
    and (lease_until is null or lease_until <= :wallNow)`,
);

async function pause(tx: Sql, _ctx: Context, { accountId, id }: LockedReplay): Promise<ChatQueue[]> {
  await tx.run(PAUSE_REPLAY, { accountId, id });
  // Released deliveries are held back again, including retries, except those in flight.
  const released = { accountId, id, wallNow: wallNow() };
  const queues = await tx.run(FIND_QUEUES_OF_REPLAY, released);
  await tx.run(PAUSE_REPLAY_DELIVERIES, released);
  return queues;
}

const CANCEL_REPLAY = plannedStatement(
  "cancel-replay",
  "update webhook_replays set state = 'canceled', run_at = :now where account_id = :accountId and id = :replayId",
);

// Otherwise the next automatic replay would begin with the same events.
const GIVE_UP_MISSED = plannedStatement(
  "give-up-missed-events",
  `update webhook_subscriptions s set auto_replay_from = :now
  from webhook_replays r
  where r.account_id = :accountId and r.id = :replayId and (r.selection->>'is_automatic')::boolean
    and s.account_id = r.account_id and s.id = r.subscription_id and s.auto_replay_from < :now`,
);

async function cancel(tx: Sql, ctx: Context, replay: LockedReplay): Promise<ChatQueue[]> {
  const queues = await deleteUnsent(tx, replay, ctx.now);
  await tx.run(CANCEL_REPLAY, { accountId: replay.accountId, replayId: replay.id, now: ctx.now });
  await endReplay(tx, replay, ctx.now);
  return queues;
}
