import "server-only";
import { WebhookVersion } from "@/lib/events/catalog/webhook-version";
import type { Context } from "@/lib/platform/context";
import { type Sql, sql, transaction } from "@/lib/platform/database/db";
import { plannedStatement, type RowOf } from "@/lib/platform/database/statement";
import { newTraceId } from "@/lib/platform/ids";
import { log } from "@/lib/platform/telemetry/log";
import { now } from "@/lib/platform/time/clock";
import { MAX_REPLAYED, typesOfVersion } from "@/lib/webhooks/replays/steps/replay-filter";
import { storeReplay } from "@/lib/webhooks/replays/steps/store-replay";

/** An event is replayed automatically at most this often to a subscription, whatever its endpoint answers. */
const MAX_REPLAYS = 3;
/**
 * The longest time between a delivery's end, which its statement reads from the clock, and its commit: a statement in the
 * background may take five minutes, and a transaction may be idle for one. Deliveries that ended so late are searched
 * again; those that are waiting or delivered since are not taken twice.
 */
const LONGEST_COMMIT_MS = 6 * 60_000;
/** Three days of retries with their jitter, and before them 28 hours in the slowest replay of 100,000 events. */
const LONGEST_DELIVERY_MS = 5 * 24 * 3_600_000;

// An endpoint answers again when it was called since it was enabled, or since its last automatic replay, and the last call
// succeeded; an endpoint that was enabled and not called since gets its replay, too. Counts are read only of subscriptions
// with the option.
const FIND_ANSWERING = plannedStatement(
  "find-answering-endpoints",
  `select s.account_id, s.id, s.version, s.subscribed_events, s.phone_numbers,
    s.auto_replay_per_second as "per_second!", s.auto_replay_from as "from!", a.partner_id, a.type
  from webhook_subscriptions s
  join accounts a on a.id = s.account_id
  cross join lateral (
    select max(c.last_at) filter (where c.outcome like '2__') as succeeded_at,
      max(c.last_at) filter (where c.outcome not like '2__') as failed_at
    from webhook_attempt_counts c
    where c.account_id = s.account_id and c.subscription_id = s.id
      and c.hour >= date_trunc('hour', greatest(s.auto_replay_from, s.rated_from), 'UTC')
      and c.outcome not in ('internal', 'not_in_version')
      and c.last_at >= greatest(s.auto_replay_from, s.rated_from)) seen
  where s.auto_replay_per_second is not null and s.deleted_at is null and s.is_active and not s.is_suspended
    and (s.rated_from > s.auto_replay_from or seen.failed_at is not null)
    and (seen.failed_at is null or seen.succeeded_at > seen.failed_at)
    and not exists (
      select from webhook_replays r
      where r.account_id = s.account_id and r.subscription_id = s.id and r.is_bulk and r.ended_at is null)
  order by s.account_id, s.id`,
);

type Answering = RowOf<"find-answering-endpoints">;

/**
 * Starts a replay to each endpoint with `auto_replay_per_second` that answers again: of the events whose deliveries were
 * skipped, or failed although they were retried, since its last automatic replay. Answers that end a delivery, such as
 * 400, are the receiver's decision and not replayed. Runs on a schedule. An endpoint whose replay can't start does not
 * stop the others. Returns the number of replays started.
 */
export async function startAutomaticReplays(stop?: AbortSignal): Promise<number> {
  let started = 0;
  for (const endpoint of await sql.run(FIND_ANSWERING)) {
    if (stop?.aborted) break;
    try {
      if (await transaction((tx) => startReplay(tx, endpoint))) started++;
    } catch (error) {
      const { account_id, id: subscription_id } = endpoint;
      log.error({ err: error, account_id, subscription_id }, "an automatic replay did not start");
    }
  }
  return started;
}

// Only one of two processes searches and starts. The subscription's row stays free for deliveries.
const TAKE_AUTO_REPLAY = plannedStatement(
  "take-auto-replay",
  `select pg_try_advisory_xact_lock(hashtextextended('automatic replay ' || :id, 0)) as "taken!"`,
);

// Read after the lock was taken, so that a replay that another process started is seen.
const IS_STILL_ANSWERING = plannedStatement(
  "is-still-answering",
  `select from webhook_subscriptions
  where account_id = :accountId and id = :id and is_active and deleted_at is null
    and auto_replay_per_second is not null and auto_replay_from = :from`,
);

const MOVE_MARK = plannedStatement(
  "move-auto-replay-mark",
  `update webhook_subscriptions set auto_replay_from = :to
  where account_id = :accountId and id = :id and auto_replay_from = :from`,
);

// The newest delivery of an event decides: an event that the endpoint refused in a replay is not sent again.
const FIND_MISSED = plannedStatement(
  "find-missed-events",
  `select e.seq::text as "seq!" from (
    select distinct d.event_seq as seq from webhook_deliveries d
    where d.account_id = :accountId and (d.status = 'failed' or d.status = 'skipped')
      and d.subscription_id = :id and d.created_at >= :createdFrom and d.ended_at > :from
  ) missed join events e on e.account_id = :accountId and e.seq = missed.seq and e.type = any(:types::text[])
  cross join lateral (
    select count(*) as deliveries, bool_or(d.status = 'delivered' or d.status = 'waiting') as is_done
    from webhook_deliveries d
    where d.account_id = :accountId and d.event_seq = missed.seq and (d.subscription_id = :id) is true) all_of
  cross join lateral (
    select d.id, d.status, d.attempts, d.replay_id from webhook_deliveries d
    where d.account_id = :accountId and d.event_seq = missed.seq and (d.subscription_id = :id) is true
      and d.ended_at is not null
    order by d.ended_at desc, d.created_at desc, d.id desc limit 1) newest
  where not all_of.is_done and all_of.deliveries <= ${MAX_REPLAYS}
    and not exists (
      select from webhook_replays r
      where r.account_id = :accountId and r.id = newest.replay_id and r.state = 'canceled')
    and (newest.status = 'skipped' or exists (
      select from webhook_attempts a
      where a.account_id = :accountId and a.event_seq = missed.seq and a.delivery_id = newest.id
        and a.number = newest.attempts
        and (a.status_code is null and a.error not in ('dns', 'private_target', 'invalid_target')
          or a.status_code >= 500 or a.status_code = 429)))
  order by e.seq limit ${MAX_REPLAYED}`,
);

async function startReplay(tx: Sql, endpoint: Answering): Promise<boolean> {
  const { account_id: accountId, id, from } = endpoint;
  const [lock] = await tx.run(TAKE_AUTO_REPLAY, { id });
  if (lock?.taken !== true) return false;
  const answering = await tx.run(IS_STILL_ANSWERING, { accountId, id, from });
  if (answering.length === 0) return false;

  const ctx = contextOf(endpoint);
  const version = WebhookVersion.parse(endpoint.version);
  const createdFrom = new Date(from.getTime() - LONGEST_DELIVERY_MS);
  const missed = await tx.run(FIND_MISSED, {
    accountId,
    id,
    from,
    createdFrom,
    types: typesOfVersion(version),
  });
  if (missed.length > 0) await store(tx, ctx, endpoint, missed);
  // The rest of a long outage follows with the next check after this replay. Moved last, because it locks the row.
  if (missed.length < MAX_REPLAYED) {
    const to = new Date(Math.max(from.getTime(), ctx.now.getTime() - LONGEST_COMMIT_MS));
    await tx.run(MOVE_MARK, { accountId, id, from, to });
  }
  return missed.length > 0;
}

async function store(
  tx: Sql,
  ctx: Context,
  endpoint: Answering,
  missed: readonly { seq: string }[],
): Promise<void> {
  const filter = { statuses: ["failed", "skipped"], types: [], from: endpoint.from.toISOString() };
  const target = {
    accountId: endpoint.account_id,
    id: endpoint.id,
    version: WebhookVersion.parse(endpoint.version),
    subscribedEvents: endpoint.subscribed_events,
    phoneNumbers: endpoint.phone_numbers,
  };
  const replay = {
    target,
    // The cancel of an automatic replay holds for the next checks, too (change-replay.ts).
    selection: { filter, is_automatic: true },
    noted: { filter, is_automatic: true },
    isBulk: true,
    coversSkipped: false,
    perSecond: endpoint.per_second,
  };
  await storeReplay(tx, ctx, replay, {
    text: "select unnest($1::bigint[]) as seq",
    values: [missed.map(({ seq }) => seq)],
  });
}

function contextOf({ account_id: id, partner_id: partnerId, type }: Answering): Context {
  return {
    account: { id, partnerId, type },
    actor: { type: "system" },
    traceId: newTraceId(),
    now: now(),
  };
}
