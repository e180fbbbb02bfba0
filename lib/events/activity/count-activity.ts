import "server-only";
import {
  COUNTED_EVENTS,
  COUNTED_LINE_EVENTS,
  countedEvents,
  NIL_UUID,
  quarterOf,
  STORE_LINE_ACTIVITY,
} from "@/lib/events/activity/activity";
import { countInRounds } from "@/lib/events/activity/count-in-rounds";
import { lastFinalEvent } from "@/lib/events/tail/last-final-event";
import { sql } from "@/lib/platform/database/db";
import { type RowOf, statement } from "@/lib/platform/database/statement";
import { firstIdAt } from "@/lib/platform/ids";
import { now } from "@/lib/platform/time/clock";

/** Longer than the time between an opt-out's id and its commit, so no opt-out with a lower id can still appear. */
const SETTLED_MS = 10 * 60_000;
/** Maximum range of one statement, in event numbers. */
const STEP_EVENTS = 262_144;

type DueAccount = RowOf<"accounts-with-activity-to-count">;

/**
 * Counts the activity of each account into `account_hours`, each event once: events up to now, except those that a running
 * transaction can still precede, and opt-outs that are older than ten minutes. Counts that of its lines into
 * `line_activity`, too, unless `countEarlierLineActivity` has not caught up with the account. A job does this so that
 * sends and receipts don't contend for counter rows. Ends early once `stop` is aborted. Returns the number of statements
 * that counted. Throws an AggregateError after the other accounts are counted if those of some failed.
 */
export async function countActivity(stop: AbortSignal): Promise<number> {
  const last = await lastFinalEvent(sql, stop);
  if (last === null) return 0;
  const optOutsUntil = firstIdAt(now().getTime() - SETTLED_MS);
  return countInRounds({
    findDue: () => sql.run(ACCOUNTS_WITH_ACTIVITY_TO_COUNT, { last, optOutsUntil }),
    countStep: (account) => countStep(account, last, optOutsUntil),
    stop,
  });
}

const ACCOUNTS_WITH_ACTIVITY_TO_COUNT = statement(
  "accounts-with-activity-to-count",
  `select a.id, first.seq as first from accounts a left join lateral (
    select e.seq from events e
    where e.account_id = a.id and e.seq >= coalesce(a.activity_to, 0) and e.seq <= :last order by e.seq limit 1
  ) first on true
  where first.seq is not null or exists (
    select from opt_outs o
    where o.account_id = a.id and o.id >= coalesce(a.opt_outs_to, ${NIL_UUID}) and o.id < :optOutsUntil::uuid)`,
);

// Locks the account's row, so that two processes that count concurrently count each event once. Opt-outs have ids that
// begin with their time. Lines are counted along only if their position is the account's: the release before moves the
// account's only.
const COUNT_ACTIVITY = statement(
  "count-activity",
  `with account as materialized (
    select activity_to, coalesce(opt_outs_to, ${NIL_UUID}) as opt_outs_to,
      line_activity_to is not distinct from activity_to as with_lines,
      line_opt_outs_to is not distinct from opt_outs_to as with_line_opt_outs
    from accounts where id = :accountId for no key update
  ), range as materialized (
    select greatest(:first::bigint, (select activity_to from account)) as since,
      least(:first::bigint + ${STEP_EVENTS}, :last::bigint + 1) as until
  ), event as materialized (
    select * from (${countedEvents("(select since from range)", ":types")}) event
    where seq < (select until from range)
  ), opt_out as materialized (
    select ${quarterOf("o.started_at")} as hour, c.line_id
    from opt_outs o left join chats c on c.account_id = :accountId and c.id = o.chat_id
    where o.account_id = :accountId and o.id < :optOutsUntil::uuid and o.id >= (select opt_outs_to from account)
  ), counted as (
    select hour, metric, latency_step, count(*)::int as count from event group by 1, 2, 3
    union all
    select hour, 'opt_out', 0, count(*)::int from opt_out group by 1
  ), stored as (
    insert into account_hours as h (account_id, hour, metric, latency_step, count)
    select :accountId, hour, metric, latency_step, count from counted order by hour, metric, latency_step
    on conflict (account_id, hour, metric, latency_step) do update set count = h.count + excluded.count
  ), line_event as (
    select * from event where (select with_lines from account) and metric = any(:lineTypes)
  ), line_opt_out as (
    select * from opt_out where (select with_line_opt_outs from account)
  ), ${STORE_LINE_ACTIVITY}
  update accounts a set activity_to = greatest(r.until, a.activity_to), opt_outs_to = greatest(:optOutsUntil::uuid, a.opt_outs_to),
    line_activity_to = case when l.with_lines then greatest(r.until, a.activity_to) else a.line_activity_to end,
    line_opt_outs_to =
      case when l.with_line_opt_outs then greatest(:optOutsUntil::uuid, a.opt_outs_to) else a.line_opt_outs_to end
  from range r, account l
  where a.id = :accountId
  returning r.until > r.since as "advanced!"`,
);

async function countStep({ id, first }: DueAccount, last: number, optOutsUntil: string): Promise<boolean> {
  const [row] = await sql.run(COUNT_ACTIVITY, {
    accountId: id,
    last,
    first,
    types: COUNTED_EVENTS,
    lineTypes: COUNTED_LINE_EVENTS,
    optOutsUntil,
  });
  return row?.advanced === true;
}
