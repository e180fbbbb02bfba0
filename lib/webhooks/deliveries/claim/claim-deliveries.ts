import "server-only";
import { WebhookVersion } from "@/lib/events/catalog/webhook-version";
import { toWholeData } from "@/lib/events/store/stored-data";
import type { AccountRef } from "@/lib/platform/context";
import { byKey, sql } from "@/lib/platform/database/db";
import { type RowOf, statement } from "@/lib/platform/database/statement";
import { clockParameters, platformNowSql } from "@/lib/platform/time/clock";
import type { RetryLadder } from "@/lib/platform/time/retry-ladder";
import type { ChatQueue } from "@/lib/webhooks/deliveries/chat-queue";
import type { EndpointSlots } from "@/lib/webhooks/deliveries/claim/endpoint-slots";
import { EndpointStarts } from "@/lib/webhooks/deliveries/claim/endpoint-starts";
import type { SealedSecrets } from "@/lib/webhooks/signing/signing-secrets";
import { DEFAULT_ROUTING_ID_HEADER } from "@/lib/webhooks/targets/routing-header";

/** A leased delivery with all data needed to send it. */
export interface ClaimedDelivery {
  accountId: string;
  id: string;
  /** Starts at 1. Also the fencing token: an outcome counts only for the claim that it belongs to. */
  attempt: number;
  /** The waits between its attempts so far. */
  waitedMs: number;
  /** The subscription's own retry ladder; null = the instance's. */
  ladder: RetryLadder | null;
  /**
   * The delivery's number among the subscription's deliveries for this chat; null when only a replay sends the event.
   */
  sequence: number | null;
  /** The chat in whose queue the delivery has its turn; null = it has no order. */
  queueChatId: string | null;
  /** Whether its chat stops when it permanently fails. */
  stopsChat: boolean;
  /** Headers that distinguish replays and tests from ordinary deliveries. */
  marks: Readonly<Record<string, string>>;
  accountType: AccountRef["type"];
  partnerId: string;
  subscription: ClaimedSubscription;
  event: { id: string; type: string; traceId: string; data: unknown; createdAt: Date };
  /** Delivery affinity; null when it is off or the event has no chat. */
  routing: ClaimedRouting | null;
}

/** The headers that let a receiver route a chat's deliveries. */
interface ClaimedRouting {
  keyHeader: string;
  idHeader: string;
  chatId: string;
  /** The routing value that the receiver last returned for the chat; null = none yet. */
  token: string | null;
}

export interface ClaimedSubscription extends SealedSecrets {
  targetUrl: string;
  version: WebhookVersion;
  /** The first 410 response without a success since. */
  goneAt: Date | null;
}

type ClaimedRow = RowOf<"claim-deliveries">;

/** The burst that a rate limit allows: the deliveries that become due between two polls of the queue. */
const RATE_BURST_MS = 500;

const DUE_UNTIL = platformNowSql();
const FIRST_ID = "00000000-0000-0000-0000-000000000000";
const LAST_ID = "ffffffff-ffff-ffff-ffff-ffffffffffff";

function firstBetween(after: string, before: string): string {
  return `select d.subscription_id as id, d.run_at from webhook_deliveries d
      where d.run_at is not null and d.subscription_id > ${after} and d.subscription_id < ${before}
      order by d.subscription_id, d.run_at limit 1`;
}

// Reads endpoint by endpoint, each up to its free slots and in random order, so neither a long backlog nor an
// unresponsive endpoint delays the others. A skip scan of the index finds the endpoints with due deliveries: the known
// ones from their start on (see EndpointStarts), and the others between their ids. Pending deliveries of
// a paused endpoint are skipped. An endpoint with a rate limit gets no more than its rate allows; its row is locked, so
// that two claims cannot both use the same allowance. A claim lost in a database crash is simply made again, so the
// commit does not wait for the disk. `offset 0` forces lookups by key: a generic plan made while the tables were empty
// would always scan them.
const CLAIM = statement(
  "claim-deliveries",
  `with recursive known as (
    select * from unnest(:knownIds::uuid[], :knownFrom::timestamptz[]) as t(id, since)
  ), gap as (
    select id as after, lead(id, 1, '${LAST_ID}') over (order by id) as before
    from (select id from known union all select '${FIRST_ID}'::uuid) ends
  ), other as (
    select found.*, g.before from gap g cross join lateral (${firstBetween("g.after", "g.before")}) found
    union all
    select found.*, o.before from other o cross join lateral (${firstBetween("o.id", "o.before")}) found
  ), endpoint as (
    select id, run_at from other
    union all
    select k.id, found.run_at from known k cross join lateral (
      select d.run_at from webhook_deliveries d
      where d.subscription_id = k.id and d.run_at >= k.since order by d.run_at limit 1) found
  ), turn as (
    select s.*, case
        when not s.is_active then :limit
        when s.rate_limit is null then coalesce(busy.places, :first)
        else least(coalesce(busy.places, :first),
          coalesce(floor(extract(epoch from statement_timestamp() - rate.free_at) * s.rate_limit + 1e-6)::int, 0))
      end as places, rate.free_at, e.run_at as first_due_at
    from endpoint e cross join lateral (
      select account_id, id, is_active, target_url, version, signing_secret, previous_secret, previous_secret_until,
        previous_signs_legacy, rate_limit, gone_at, routing_key_header, routing_id_header, retry_seconds, stop_exhausted
      from webhook_subscriptions where id = e.id offset 0) s
    left join lateral (
      select greatest(l.rate_free_at, statement_timestamp() - greatest(interval '${RATE_BURST_MS} ms', interval '1 s' / l.rate_limit)) as free_at
      from webhook_subscriptions l
      where l.id = e.id and l.rate_limit is not null and e.run_at <= ${DUE_UNTIL} for no key update skip locked) rate on true
    left join unnest(:offeredIds::uuid[], :places::int[]) as busy(id, places) on busy.id = e.id
    where e.run_at <= ${DUE_UNTIL}
    order by random()
  ), due as (
    select t.*, d.id as delivery_id
    from turn t cross join lateral (
      select id from webhook_deliveries
      where subscription_id = t.id and run_at >= t.first_due_at and run_at <= ${DUE_UNTIL}
        and (lease_until is null or lease_until <= statement_timestamp())
      order by run_at limit t.places for update skip locked) d
    limit :limit
  ), taken as (
    update webhook_deliveries d
    set attempts = d.attempts + due.is_active::int,
      lease_until = case when due.is_active then statement_timestamp() + :leaseMs::int * interval '1 ms' end,
      run_at = case when due.is_active then d.run_at end,
      status = case when due.is_active then d.status else 'skipped' end,
      ended_at = case when due.is_active then d.ended_at else ${DUE_UNTIL} end
    from due
    where ${byKey("d", { account_id: "due.account_id", id: "due.delivery_id" })}
    returning d.account_id, d.id, d.attempts, d.waited_ms, d.sequence, d.replay_id, d.subscription_id, d.event_seq, d.queue_chat_id,
      due.is_active, due.target_url, due.version, due.signing_secret, due.previous_secret, due.previous_secret_until,
      due.previous_signs_legacy, due.rate_limit, due.free_at, due.gone_at, due.routing_key_header, due.routing_id_header,
      due.retry_seconds, due.stop_exhausted, due.first_due_at
  ), spent as (
    update webhook_subscriptions s set rate_free_at = t.free_at + t.count * interval '1 s' / t.rate_limit
    from (
      select account_id, subscription_id, rate_limit, free_at, count(*) from taken
      where is_active and rate_limit is not null group by 1, 2, 3, 4) t
    where s.account_id = t.account_id and s.id = t.subscription_id
  )
  select t.account_id, t.id, t.attempts, t.waited_ms, t.sequence, t.replay_id, a.type as account_type, a.partner_id,
    t.subscription_id, t.first_due_at, t.is_active, t.target_url, t.version, t.signing_secret, t.previous_secret, t.previous_secret_until,
    t.previous_signs_legacy, t.gone_at, t.routing_key_header, t.routing_id_header, t.retry_seconds, t.queue_chat_id, t.stop_exhausted, known.token as routing_token,
    e.id as event_id, e.type, e.trace_id, e.data, e.created_at, e.chat_id
  from taken t cross join (select set_config('synchronous_commit', 'off', true)) as async_commit cross join lateral (
    select partner_id, type from accounts where id = t.account_id offset 0) a
  cross join lateral (
    select id, type, trace_id, data, created_at, chat_id from events
    where account_id = t.account_id and seq = t.event_seq offset 0) e
  left join lateral (
    select token from webhook_routing_tokens
    where t.routing_key_header is not null and account_id = t.account_id and subscription_id = t.subscription_id
      and chat_id = e.chat_id offset 0) known on true`,
);

export interface Claim {
  limit: number;
  /** The lease of the claimed deliveries, by PostgreSQL's clock. */
  leaseMs: number;
  /** Where to search from; by default everywhere. */
  starts?: EndpointStarts;
}

/**
 * Leases due deliveries of active subscriptions and ends those of other subscriptions as `skipped`, in one statement.
 * The caller passes the turn of the queues in which a delivery was skipped.
 */
export async function claimDeliveries(
  slots: EndpointSlots,
  { limit, leaseMs, starts = new EndpointStarts() }: Claim,
): Promise<{ claimed: ClaimedDelivery[]; skipped: number; skippedQueues: ChatQueue[] }> {
  const offer = slots.free();
  const { subscriptionIds, from } = starts.next();
  const rows = await sql.run(CLAIM, {
    ...clockParameters(),
    limit,
    offeredIds: offer.subscriptionIds,
    places: offer.places,
    first: slots.first,
    leaseMs,
    knownIds: subscriptionIds,
    knownFrom: from,
  });
  const claimed = rows.filter((row) => row.is_active).map(toClaimed);
  for (const { subscription_id, first_due_at } of rows) starts.note(subscription_id, first_due_at);
  if (rows.length < limit) slots.note(offer, countBySubscription(claimed));
  const skippedQueues = rows.flatMap(({ is_active, account_id, subscription_id, queue_chat_id }) =>
    is_active || queue_chat_id === null
      ? []
      : [{ accountId: account_id, subscriptionId: subscription_id, chatId: queue_chat_id }],
  );
  return { claimed, skipped: rows.length - claimed.length, skippedQueues };
}

function countBySubscription(claimed: readonly ClaimedDelivery[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { subscription } of claimed) counts.set(subscription.id, (counts.get(subscription.id) ?? 0) + 1);
  return counts;
}

function toClaimed(row: ClaimedRow): ClaimedDelivery {
  return {
    accountId: row.account_id,
    id: row.id,
    attempt: row.attempts,
    waitedMs: row.waited_ms,
    ladder: row.retry_seconds.length === 0 ? null : row.retry_seconds,
    sequence: row.sequence === null ? null : Number(row.sequence),
    queueChatId: row.queue_chat_id,
    stopsChat: row.queue_chat_id !== null && row.stop_exhausted === true && row.replay_id === null,
    marks: row.replay_id === null ? {} : { "x-webhook-replay": "true", "x-webhook-replay-id": row.replay_id },
    accountType: row.account_type,
    partnerId: row.partner_id,
    subscription: {
      id: row.subscription_id,
      targetUrl: row.target_url,
      version: WebhookVersion.parse(row.version),
      sealedSecret: row.signing_secret,
      previousSecret: toPrevious(row),
      goneAt: row.gone_at,
    },
    routing: toRouting(row),
    event: {
      id: row.event_id,
      type: row.type,
      traceId: row.trace_id,
      data: toWholeData(row.data),
      createdAt: row.created_at,
    },
  };
}

function toRouting(row: ClaimedRow): ClaimedRouting | null {
  const { routing_key_header: keyHeader, routing_id_header, routing_token: token, chat_id: chatId } = row;
  if (keyHeader === null || chatId === null) return null;
  return { keyHeader, idHeader: routing_id_header ?? DEFAULT_ROUTING_ID_HEADER, chatId, token };
}

function toPrevious(row: ClaimedRow): ClaimedSubscription["previousSecret"] {
  const { previous_secret: sealed, previous_secret_until: until } = row;
  return sealed === null || until === null ? null : { sealed, until, signsLegacy: row.previous_signs_legacy };
}
