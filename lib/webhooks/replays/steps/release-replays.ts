import "server-only";
import { storedEventsCte } from "@/lib/events/store/emit-event";
import { batched } from "@/lib/platform/database/batch";
import { byKey, sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { type ChatQueue, isOrdered } from "@/lib/webhooks/deliveries/chat-queue";
import { addQueues, passQueues } from "@/lib/webhooks/deliveries/pass-turns";
import { ENDPOINT_NOT_ACTIVE } from "@/lib/webhooks/subscriptions/resume-replays";

/** The batch size, as seconds of the replay's speed. */
const BATCH_SECONDS = 0.2;
/** Maximum number of deliveries due at the same time: a slow endpoint gets more only after it has caught up. */
const DUE_SECONDS = 2;
const DUE_FEWEST = 20;
/** Seconds until a replay that waits for its last responses is checked again. */
const LOOK_AGAIN_SECONDS = 1;

/** The result of releasing a due replay. */
export interface ReleasedReplay {
  accountId: string;
  id: string;
  released: number;
  /** The queues that the released deliveries have joined, for `passReleased`. */
  queues: ChatQueue[];
  /** Whether more deliveries may be released: false when none is held back, or the replay was stopped. */
  goesOn: boolean;
  /** The time when the replay is due again; null when it was paused. */
  dueAt: Date | null;
}

// The replay's row is locked while its deliveries are released, so that a pause or cancel runs before or after. Replays
// of a paused endpoint are paused until it is enabled, those of a deleted one end.
const RELEASE = statement(
  "release-replays",
  `with due as (
    select account_id, id, subscription_id, per_second, run_at, state, trace_id from webhook_replays
    where run_at <= :now order by run_at limit :limit for update skip locked
  ), turn as (
    select due.*, s.is_active, s.is_deleted, s.is_ordered, case
        when due.state = 'running' and s.is_active then greatest(0, least(
          ceil(due.per_second * ${BATCH_SECONDS})::int,
          greatest(due.per_second * ${DUE_SECONDS}, ${DUE_FEWEST}) - unsent.count))
        else 0 end as allowed
    from due cross join lateral (
      select o.is_active, o.deleted_at is not null as is_deleted, ${isOrdered("o")} as is_ordered from webhook_subscriptions o
      where o.account_id = due.account_id and o.id = due.subscription_id offset 0) s
    cross join lateral (
      select count(*)::int from webhook_deliveries
      where account_id = due.account_id and replay_id = due.id and run_at <= :now) unsent
  ), item as (
    select t.account_id, t.id as replay_id, t.subscription_id, t.trace_id, d.id, d.event_seq, chat.id as queue_chat_id
    from turn t cross join lateral (
      select id, event_seq from webhook_deliveries
      where account_id = t.account_id and replay_id = t.id and status = 'waiting' and run_at is null
        and queue_chat_id is null
      order by event_seq, id limit t.allowed for update skip locked) d
    left join lateral (
      select chat_id as id from events
      where t.is_ordered and account_id = t.account_id and seq = d.event_seq offset 0) chat on true
  ), let_go as (
    update webhook_deliveries d set queue_chat_id = item.queue_chat_id,
      run_at = case when item.queue_chat_id is null then :now end from item
    where ${byKey("d", { account_id: "item.account_id", id: "item.id" })}
  ), source as (
    select row_number() over (order by replay_id, event_seq) as ord, account_id, gen_random_uuid() as event_id,
      'webhook.replayed' as type, true as internal, null::uuid as line_id, null::uuid as chat_id,
      null::uuid as message_id, trace_id, :now::timestamptz as at,
      jsonb_build_object('event_seq', event_seq, 'replay_id', replay_id, 'subscription_id', subscription_id) as data
    from item
  ), ${storedEventsCte("source")}, outcome as (
    select t.*, (select count(*)::int from item i where i.account_id = t.account_id and i.replay_id = t.id) as released,
      (select array_agg(distinct i.queue_chat_id) from item i
        where i.account_id = t.account_id and i.replay_id = t.id and i.queue_chat_id is not null) as queues
    from turn t
  )
  update webhook_replays r
  set state = (case when o.state <> 'running' or o.is_active then o.state::text
      when o.is_deleted then 'canceled' else 'paused' end)::webhook_replay_state,
    reason = case when o.state <> 'running' or o.is_active then r.reason
      when o.is_deleted then 'the subscription was deleted' else '${ENDPOINT_NOT_ACTIVE}' end,
    run_at = case
      when o.state = 'running' and not o.is_active and not o.is_deleted then null
      when o.released > 0 then greatest(r.run_at, :now - interval '${BATCH_SECONDS} s')
        + interval '1 s' * o.released / r.per_second
      when o.allowed = 0 and o.state = 'running' and o.is_active then :now + interval '${BATCH_SECONDS} s'
      else :now + interval '${LOOK_AGAIN_SECONDS} s' end
  from outcome o
  where r.account_id = o.account_id and r.id = o.id
  returning r.account_id, r.id, o.subscription_id, o.released, o.queues, r.run_at,
    r.run_at is null or (o.state = 'running' and o.is_active and (o.released > 0 or o.allowed = 0)) as goes_on`,
);

/**
 * Releases, in one statement, the deliveries that each due replay's speed allows now. They become due like any other
 * delivery, or join the queue of their chat, whose turn the caller passes. The internal event `webhook.replayed`
 * ({ event_seq, replay_id, subscription_id }) tells streams to send the event again. `now` is the platform clock.
 */
export async function releaseReplays(now: Date, limit: number): Promise<ReleasedReplay[]> {
  const rows = await sql.run(RELEASE, { now, limit });
  if (rows.some((row) => row.released > 0)) {
    sql.wake("deliveries");
    sql.wake("events");
  }
  return rows.map((row) => ({
    accountId: row.account_id,
    id: row.id,
    released: row.released,
    queues: (row.queues ?? []).map((chatId) => ({
      accountId: row.account_id,
      subscriptionId: row.subscription_id,
      chatId,
    })),
    goesOn: row.goes_on,
    dueAt: row.run_at,
  }));
}

/**
 * Passes the turn of the queues that released deliveries have joined, one call after the other. May wait for a
 * transaction that stores an event of one of the chats, so the next releases do not wait for this.
 */
export const passReleased = batched<readonly ChatQueue[], void>({
  runOne: joinQueues,
  runMany: async (lists) => {
    await joinQueues(lists.flat());
    return [];
  },
});

async function joinQueues(queues: readonly ChatQueue[]): Promise<void> {
  await addQueues(queues);
  await passQueues(queues);
}
