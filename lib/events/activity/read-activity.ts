import "server-only";
import {
  type ActivityMetric,
  COUNTED_EVENTS,
  countedEvents,
  firstSeqAt,
  quarterOf,
} from "@/lib/events/activity/activity";
import { type ActivityRange, RANGE_MS } from "@/lib/events/activity/activity-range";
import type { Context } from "@/lib/platform/context";
import { sql } from "@/lib/platform/database/db";
import { type RowOf, statement } from "@/lib/platform/database/statement";
import { firstIdAt } from "@/lib/platform/ids";
import type { StepCount } from "@/lib/platform/telemetry/latency-steps";

const RANGES = {
  "24h": { buckets: 24, step: "1 hour" },
  "7d": { buckets: 28, step: "6 hours" },
  "30d": { buckets: 30, step: "1 day" },
  "90d": { buckets: 90, step: "1 day" },
} as const satisfies Record<ActivityRange, { buckets: number; step: string }>;

/** The activity of a period. */
export interface ActivityBucket {
  /** Start of the period. */
  at: Date;
  counts: Readonly<Record<ActivityMetric, number>>;
  /** The times from acceptance to delivery of the messages delivered in the period. */
  latencies: readonly StepCount[];
}

type Row = Pick<RowOf<"activity-by-period">, "metric" | "step" | "count">;

const ACTIVITY_START = statement(
  "activity-start",
  `select (date_bin(:step::interval, :now::timestamptz at time zone :zone, '2000-01-01')
  - (:buckets::int - 1) * :step::interval) at time zone :zone as "at!"`,
);

/**
 * The account's activity in a range that ends now, oldest period first; the last period is still running. Hours begin
 * with the hour of UTC, longer periods at midnight of the time zone. Counted periods are a few rows per quarter of an hour, so only
 * the events of the last minutes are counted here. `timeZone` must be a name that `Intl` knows.
 */
export async function readActivity(
  ctx: Context,
  range: ActivityRange,
  timeZone: string,
): Promise<ActivityBucket[]> {
  const { buckets, step } = RANGES[range];
  const zone = range === "24h" ? "UTC" : timeZone;
  const start = await startOf(ctx.now, range, timeZone);
  const rows = await sql.run(ACTIVITY_BY_PERIOD, {
    accountId: ctx.account.id,
    start,
    now: ctx.now,
    types: COUNTED_EVENTS,
    zone,
    step,
    firstId: firstIdAt(start.getTime()),
    buckets,
  });
  return [...Map.groupBy(rows, ({ at }) => at.getTime())].map(([at, found]) => toBucket(new Date(at), found));
}

/**
 * The account's activity in the range before, up to the same moment of it, so that a running period is compared with the
 * same part of its predecessor. Read from counters only: what they have not counted yet is more recent.
 */
export async function readEarlierActivity(
  ctx: Context,
  range: ActivityRange,
  timeZone: string,
): Promise<ActivityBucket> {
  const until = new Date(ctx.now.getTime() - RANGE_MS[range]);
  const start = await startOf(until, range, timeZone);
  return toBucket(start, await sql.run(EARLIER_ACTIVITY, { accountId: ctx.account.id, start, until }));
}

async function startOf(now: Date, range: ActivityRange, timeZone: string): Promise<Date> {
  const { buckets, step } = RANGES[range];
  const zone = range === "24h" ? "UTC" : timeZone;
  const [first] = await sql.run(ACTIVITY_START, { now, buckets, step, zone });
  if (first === undefined) throw new Error("the start of the range could not be computed");
  return first.at;
}

const EARLIER_ACTIVITY = statement(
  "earlier-activity",
  `select metric as "metric: ActivityMetric", latency_step as "step!", sum(count)::int as "count!"
  from account_hours where account_id = :accountId and hour >= :start::timestamptz and hour <= :until::timestamptz
  group by 1, 2`,
);

function toBucket(at: Date, rows: readonly Row[]): ActivityBucket {
  const countOf = (metric: ActivityMetric) =>
    rows.filter((row) => row.metric === metric).reduce((sum, { count }) => sum + count, 0);
  return {
    at,
    counts: {
      "message.sent": countOf("message.sent"),
      "message.received": countOf("message.received"),
      "message.delivered": countOf("message.delivered"),
      "message.failed": countOf("message.failed"),
      "payment.succeeded": countOf("payment.succeeded"),
      "payment.declined": countOf("payment.declined"),
      opt_out: countOf("opt_out"),
    },
    latencies: rows
      .filter(({ metric }) => metric === "message.delivered")
      .map(({ step, count }) => ({ step, count })),
  };
}

// Periods are wall-clock times of the zone, so a day with a change to daylight saving time has 23 or 25 hours.
const ACTIVITY_BY_PERIOD = statement(
  "activity-by-period",
  `with account as materialized (
    select activity_to, opt_outs_to from accounts where id = :accountId
  ), since as materialized (
    select coalesce((select activity_to from account), ${firstSeqAt(":start::timestamptz")}) as seq
  ), activity as (
    select hour, metric, latency_step, count from account_hours
    where account_id = :accountId and hour >= :start::timestamptz and hour <= :now::timestamptz
    union all
    select hour, metric, latency_step, 1 from (${countedEvents("(select seq from since)", ":types")}) event
    union all
    select ${quarterOf("started_at")}, 'opt_out', 0, 1 from opt_outs
    where account_id = :accountId and id >= greatest(:firstId::uuid, (select opt_outs_to from account))
  ), binned as (
    select date_bin(:step::interval, hour at time zone :zone, '2000-01-01') as local, metric, latency_step,
      sum(count)::int as count
    from activity where hour >= :start::timestamptz group by 1, 2, 3
  ), periods as (
    select date_bin(:step::interval, :now::timestamptz at time zone :zone, '2000-01-01') - n * :step::interval as local
    from generate_series(0, :buckets::int - 1) n
  )
  select p.local at time zone :zone as "at!", b.metric as "metric: ActivityMetric",
    coalesce(b.latency_step, 0) as "step!", coalesce(b.count, 0) as "count!"
  from periods p left join binned b on b.local = p.local
  order by p.local`,
);
