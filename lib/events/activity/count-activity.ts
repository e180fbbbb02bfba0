import "server-only";
import {
  binOf,
  COUNTED_EVENTS,
  COUNTED_LINE_EVENTS,
  countedEvents,
  quarterOf,
} from "@/lib/events/activity/activity";
import { lastFinalEvent } from "@/lib/events/tail/last-final-event";
import { sql } from "@/lib/platform/database/db";
import { type RowOf, statement } from "@/lib/platform/database/statement";
import { firstIdAt } from "@/lib/platform/ids";
import { now } from "@/lib/platform/time/clock";

/** Longer than the time between an opt-out's id and its commit, so no opt-out with a lower id can still appear. */
const SETTLED_MS = 10 * 60_000;
/** Before all ids, in SQL. */
const NIL_UUID = "'00000000-0000-0000-0000-000000000000'::uuid";
/** Maximum range of one statement, in event numbers. */
const STEP_EVENTS = 262_144;

type DueAccount = RowOf<"accounts-with-activity-to-count">;

/**
 * Counts the activity of each account into `account_hours` and that of its lines into `line_activity`, each event once:
 * events up to now, except those that a running transaction can still precede, and opt-outs that are older than ten
 * minutes. A job does this so that sends and receipts don't contend for counter rows. Ends early once `stop` is aborted.
 * Returns the number of statements that counted.
 */
export async function countActivity(stop: AbortSignal): Promise<number> {
  const last = await lastFinalEvent(sql, stop);
  if (last === null) return 0;
  const optOutsUntil = firstIdAt(now().getTime() - SETTLED_MS);
  let steps = 0;
  let due = await findDue(last, optOutsUntil);
  while (due.length > 0 && !stop.aborted) {
    const advanced = new Set<string>();
    for (const account of due) {
      if (stop.aborted) break;
      if (!(await countStep(account, last, optOutsUntil))) continue;
      advanced.add(account.id);
      steps++;
    }
    due = (await findDue(last, optOutsUntil)).filter(({ id }) => advanced.has(id));
  }
  return steps;
}

const ACCOUNTS_WITH_ACTIVITY_TO_COUNT = statement(
  "accounts-with-activity-to-count",
  `select a.id, first.seq as first from accounts a left join lateral (
    select e.seq from events e
    where e.account_id = a.id and e.seq >= least(coalesce(a.activity_to, 0), coalesce(a.line_activity_to, 0))
      and e.seq <= :last
    order by e.seq limit 1
  ) first on true
  where first.seq is not null or exists (
    select from opt_outs o
    where o.account_id = a.id and o.id < :optOutsUntil::uuid
      and o.id >= least(coalesce(a.opt_outs_to, ${NIL_UUID}), coalesce(a.line_opt_outs_to, ${NIL_UUID})))`,
);

function findDue(last: number, optOutsUntil: string): Promise<DueAccount[]> {
  return sql.run(ACCOUNTS_WITH_ACTIVITY_TO_COUNT, { last, optOutsUntil });
}

// Locks the account's row, so that two processes that count concurrently count each event once. Opt-outs have ids that
// begin with their time. The account and its lines have positions of their own: the release before counts accounts only,
// and after an upgrade the lines are counted from the first event that is kept.
const COUNT_ACTIVITY = statement(
  "count-activity",
  `with account as materialized (
    select coalesce(activity_to, 0) as since, coalesce(line_activity_to, 0) as line_since,
      coalesce(opt_outs_to, ${NIL_UUID}) as opt_outs_since, coalesce(line_opt_outs_to, ${NIL_UUID}) as line_opt_outs_since
    from accounts where id = :accountId for no key update
  ), range as materialized (
    select greatest(:first::bigint, (select least(since, line_since) from account)) as since,
      least(:first::bigint + ${STEP_EVENTS}, :last::bigint + 1) as until
  ), event as materialized (
    select * from (${countedEvents("(select since from range)", ":types")}) event
    where seq < (select until from range)
  ), opt_out as materialized (
    select o.id, ${quarterOf("o.started_at")} as hour, c.line_id
    from opt_outs o left join chats c on c.account_id = :accountId and c.id = o.chat_id
    where o.account_id = :accountId and o.id < :optOutsUntil::uuid
      and o.id >= (select least(opt_outs_since, line_opt_outs_since) from account)
  ), counted as (
    select hour, metric, latency_step, count(*)::int as count
    from event where seq >= (select since from account)
    group by 1, 2, 3
    union all
    select hour, 'opt_out', 0, count(*)::int
    from opt_out where id >= (select opt_outs_since from account)
    group by 1
  ), line_counted as materialized (
    select line_id, hour, metric, latency_step, count(*)::int as count
    from event where seq >= (select line_since from account) and line_id is not null and metric = any(:lineTypes)
    group by 1, 2, 3, 4
    union all
    select line_id, hour, 'opt_out', 0, count(*)::int
    from opt_out where id >= (select line_opt_outs_since from account) and line_id is not null
    group by 1, 2
  ), stored as (
    insert into account_hours as h (account_id, hour, metric, latency_step, count)
    select :accountId, hour, metric, latency_step, count from counted order by hour, metric, latency_step
    on conflict (account_id, hour, metric, latency_step) do update set count = h.count + excluded.count
  ), line_stored as (
    insert into line_activity as h (account_id, line_id, minutes, at, metric, latency_step, count)
    select :accountId, line_id, 15, hour, metric, latency_step, count from line_counted
    union all
    select :accountId, line_id, 1440, ${binOf("1 day", "hour")}, metric, latency_step, sum(count)::int
    from line_counted group by 2, 4, 5, 6
    on conflict (account_id, line_id, minutes, at, metric, latency_step) do update set count = h.count + excluded.count
  )
  update accounts a set activity_to = greatest(r.until, a.activity_to), opt_outs_to = greatest(:optOutsUntil::uuid, a.opt_outs_to),
    line_activity_to = greatest(r.until, a.line_activity_to),
    line_opt_outs_to = greatest(:optOutsUntil::uuid, a.line_opt_outs_to)
  from range r
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
