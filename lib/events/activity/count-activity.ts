import "server-only";
import { COUNTED_EVENTS, countedEvents, quarterOf } from "@/lib/events/activity/activity";
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
 * Counts the activity of each account into `account_hours`, each event once: events up to now, except those that a
 * running transaction can still precede, and opt-outs that are older than ten minutes. A job does this so that sends and
 * receipts don't contend for counter rows. Ends early once `stop` is aborted. Returns the number of statements that
 * counted.
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
    where e.account_id = a.id and e.seq >= coalesce(a.activity_to, 0) and e.seq <= :last order by e.seq limit 1
  ) first on true
  where first.seq is not null or exists (
    select from opt_outs o
    where o.account_id = a.id and o.id >= coalesce(a.opt_outs_to, ${NIL_UUID}) and o.id < :optOutsUntil::uuid)`,
);

function findDue(last: number, optOutsUntil: string): Promise<DueAccount[]> {
  return sql.run(ACCOUNTS_WITH_ACTIVITY_TO_COUNT, { last, optOutsUntil });
}

// Locks the account's row, so that two processes that count concurrently count each event once. Opt-outs have ids that
// begin with their time.
const COUNT_ACTIVITY = statement(
  "count-activity",
  `with account as materialized (
    select activity_to, opt_outs_to from accounts where id = :accountId for no key update
  ), range as materialized (
    select greatest(:first::bigint, (select activity_to from account)) as since,
      least(:first::bigint + ${STEP_EVENTS}, :last::bigint + 1) as until
  ), counted as (
    select hour, metric, latency_step, count(*)::int as count
    from (${countedEvents("(select since from range)", ":types")}) event
    where event.seq < (select until from range)
    group by 1, 2, 3
    union all
    select ${quarterOf("started_at")}, 'opt_out', 0, count(*)::int
    from opt_outs
    where account_id = :accountId and id < :optOutsUntil::uuid
      and id >= coalesce((select opt_outs_to from account), ${NIL_UUID})
    group by 1
  ), stored as (
    insert into account_hours as h (account_id, hour, metric, latency_step, count)
    select :accountId, hour, metric, latency_step, count from counted order by hour, metric, latency_step
    on conflict (account_id, hour, metric, latency_step) do update set count = h.count + excluded.count
  )
  update accounts a set activity_to = greatest(r.until, a.activity_to), opt_outs_to = greatest(:optOutsUntil::uuid, a.opt_outs_to)
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
    optOutsUntil,
  });
  return row?.advanced === true;
}
