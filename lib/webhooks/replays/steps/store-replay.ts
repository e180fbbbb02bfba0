import "server-only";
import { recordAudit } from "@/lib/identity/audit/record-audit";
import type { Context } from "@/lib/platform/context";
import type { Sql, SqlText } from "@/lib/platform/database/db";
import { plannedStatement } from "@/lib/platform/database/statement";
import { fail } from "@/lib/platform/errors/errors";
import { newId } from "@/lib/platform/ids";
import { MAX_REPLAYED, type ReplayTarget } from "@/lib/webhooks/replays/steps/replay-filter";
import { withdrawSkipped } from "@/lib/webhooks/subscriptions/endpoint-notice";

export interface NewReplay {
  target: ReplayTarget;
  /** The request, as it is displayed later. */
  selection: Readonly<Record<string, unknown>>;
  /** The part of the request for the audit log, without anything that may quote a message. */
  noted: Readonly<Record<string, unknown>>;
  /** Whether the replay may contain many events. A subscription has at most one such replay at a time. */
  isBulk: boolean;
  /** Whether it contains every event that was skipped. */
  coversSkipped: boolean;
  perSecond: number;
}

const STORE_REPLAY_TOTAL = plannedStatement(
  "store-replay-total",
  "update webhook_replays set total = :total where account_id = :accountId and id = :id",
);

/**
 * Stores a replay of the events that a statement selects (`seq`), and its deliveries, held back until the worker
 * releases them (work-replays.ts). Returns its id. Errors: state_conflict (nothing to replay, or another replay has
 * not ended), parameter_invalid (too many events).
 */
export async function storeReplay(
  tx: Sql,
  ctx: Context,
  replay: NewReplay,
  events: SqlText & { values: unknown[] },
): Promise<string> {
  const id = await insertReplay(tx, ctx, replay);
  const total = await holdDeliveries(tx, ctx, { id, subscriptionId: replay.target.id }, events);
  if (total === 0) fail("state_conflict", "no events match the filters: there is nothing to replay");
  if (total > MAX_REPLAYED) failTooMany();

  await tx.run(STORE_REPLAY_TOTAL, { accountId: ctx.account.id, id, total });
  const detail = { subscription_id: replay.target.id, ...replay.noted, total };
  await recordAudit(tx, ctx, "webhook_replay.created", "webhook_replay", id, detail);
  if (replay.coversSkipped) {
    await withdrawSkipped(tx, { accountId: ctx.account.id, id: replay.target.id }, ctx.now);
  }
  tx.wake("replays");
  return id;
}

const INSERT_REPLAY = plannedStatement(
  "insert-replay",
  `insert into webhook_replays (account_id, id, subscription_id, selection, is_bulk, total, per_second, run_at,
    trace_id, created_by, created_at)
  values (:accountId, :id, :targetId, :selection, :isBulk, 0, :perSecond, :now, :traceId, :createdBy, :now)
  on conflict (account_id, subscription_id) where is_bulk and ended_at is null do nothing
  returning id`,
);

async function insertReplay(tx: Sql, ctx: Context, replay: NewReplay): Promise<string> {
  const createdBy = ctx.actor.type === "user" ? ctx.actor.userId : null;
  const [row] = await tx.run(INSERT_REPLAY, {
    accountId: ctx.account.id,
    id: newId(ctx.now.getTime()),
    targetId: replay.target.id,
    selection: JSON.stringify(replay.selection),
    isBulk: replay.isBulk,
    perSecond: replay.perSecond,
    now: ctx.now,
    traceId: ctx.traceId,
    createdBy,
  });
  if (row === undefined) {
    return fail(
      "state_conflict",
      "a replay to this subscription is still running: wait for it, or cancel it with DELETE on the same path",
    );
  }
  return row.id;
}

// The original delivery of an event keeps its status and its attempts. A replay is a separate delivery with the same
// number in the subscription's sequence. Everything is read before the first write, because the statement's writes
// would affect its reads.
async function holdDeliveries(
  tx: Sql,
  ctx: Context,
  replay: { id: string; subscriptionId: string },
  events: SqlText & { values: unknown[] },
): Promise<number> {
  const first = events.values.length + 1;
  const [account, id, subscription, at] = [0, 1, 2, 3].map((index) => `$${first + index}`);
  const [row] = await tx.runText<{ total: number }>({
    text: `with taken as (
             select array_agg(e.seq) as seqs, array_agg((
               select max(d.sequence) from webhook_deliveries d
               where d.account_id = ${account} and d.event_seq = e.seq and (d.subscription_id = ${subscription}) is true
             )) as sequences
             from (${events.text} limit ${MAX_REPLAYED + 1}) e
           ), held as (
             insert into webhook_deliveries
               (account_id, id, subscription_id, event_seq, sequence, status, replay_id, created_at)
             select ${account}::uuid, gen_random_uuid(), ${subscription}::uuid, t.seq, t.sequence, 'waiting', ${id}::uuid,
               ${at}::timestamptz
             from taken, unnest(taken.seqs, taken.sequences) as t(seq, sequence)
             returning 1)
           select count(*)::int as total from held`,
    values: [...events.values, ctx.account.id, replay.id, replay.subscriptionId, ctx.now],
  });
  return row?.total ?? 0;
}

function failTooMany(): never {
  return fail(
    "parameter_invalid",
    `more than ${MAX_REPLAYED} events match: narrow the filter, for example by time, and replay in parts`,
  );
}
