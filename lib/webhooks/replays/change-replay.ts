import "server-only";
import { z } from "zod";
import { recordAudit } from "@/lib/identity/audit/record-audit";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { type Sql, transaction } from "@/lib/platform/database/db";
import { fail } from "@/lib/platform/errors/errors";
import { wallNow } from "@/lib/platform/time/clock";
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
 * changes its speed. Errors: access_denied, name_unknown, state_conflict when it has ended or cannot run.
 */
export async function changeReplay(
  ctx: Context,
  { params, body }: Input<typeof ChangeReplay>,
): Promise<WebhookReplay> {
  await transaction(async (tx) => {
    const replay = await lockReplay(tx, ctx, params.replayId);
    if (replay.state === "done" || replay.state === "canceled") {
      fail("state_conflict", `the replay is ${replay.state}`);
    }
    if (body.per_second !== undefined) await setSpeed(tx, replay, body.per_second);
    if (body.state !== undefined) await CHANGES[body.state](tx, ctx, replay);
    await recordAudit(tx, ctx, "webhook_replay.updated", "webhook_replay", replay.id, body);
    tx.wake("replays");
  });

  return readReplay(ctx, params.replayId);
}

const CHANGES = {
  running: resume,
  paused: pause,
  canceled: cancel,
} satisfies Record<State, (tx: Sql, ctx: Context, replay: LockedReplay) => Promise<void>>;

async function lockReplay(tx: Sql, ctx: Context, id: string): Promise<LockedReplay> {
  const [row] = await tx.query<{ state: WebhookReplay["state"]; is_active: boolean }>({
    text: `select r.state, s.is_active from webhook_replays r
           join webhook_subscriptions s on s.account_id = r.account_id and s.id = r.subscription_id
           where r.account_id = $1 and r.id = $2 for update of r`,
    values: [ctx.account.id, id],
  });
  if (row === undefined) return fail("name_unknown", "the account has no replay with this ID");
  return { accountId: ctx.account.id, id, state: row.state, isActive: row.is_active };
}

async function setSpeed(tx: Sql, { accountId, id }: LockedReplay, perSecond: number): Promise<void> {
  await tx.query({
    text: "update webhook_replays set per_second = $3 where account_id = $1 and id = $2",
    values: [accountId, id, perSecond],
  });
}

async function resume(tx: Sql, ctx: Context, replay: LockedReplay): Promise<void> {
  if (!replay.isActive) fail("state_conflict", "the subscription is not active: enable it first");
  await tx.query({
    text: `update webhook_replays set state = 'running', reason = null, run_at = $3
           where account_id = $1 and id = $2 and state = 'paused'`,
    values: [replay.accountId, replay.id, ctx.now],
  });
}

async function pause(tx: Sql, _ctx: Context, { accountId, id }: LockedReplay): Promise<void> {
  await tx.query({
    text: "update webhook_replays set state = 'paused', run_at = null where account_id = $1 and id = $2",
    values: [accountId, id],
  });
  // Released deliveries are held back again, including retries, except those in flight.
  await tx.query({
    text: `update webhook_deliveries set run_at = null, lease_until = null
           where account_id = $1 and replay_id = $2 and run_at is not null
             and (lease_until is null or lease_until <= $3)`,
    values: [accountId, id, wallNow()],
  });
}

async function cancel(tx: Sql, ctx: Context, replay: LockedReplay): Promise<void> {
  await deleteUnsent(tx, replay, ctx.now);
  await tx.query({
    text: "update webhook_replays set state = 'canceled', run_at = $3 where account_id = $1 and id = $2",
    values: [replay.accountId, replay.id, ctx.now],
  });
  await endReplay(tx, replay, ctx.now);
}
