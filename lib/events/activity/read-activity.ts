import "server-only";
import {
  type ActivityMetric,
  COUNTED_EVENTS,
  countedEvents,
  firstSeqAt,
  quarterOf,
} from "@/lib/events/activity/activity";
import type { ActivityRange } from "@/lib/events/activity/activity-range";
import type { Context } from "@/lib/platform/context";
import { sql } from "@/lib/platform/database/db";
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

interface Row {
  at: Date;
  metric: ActivityMetric | null;
  step: number;
  count: number;
}

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
  const [first] = await sql.query<{ at: Date }>({
    name: "activity-start",
    text: `select (date_bin($3::interval, $1::timestamptz at time zone $4, '2000-01-01')
             - ($2::int - 1) * $3::interval) at time zone $4 as at`,
    values: [ctx.now, buckets, step, zone],
  });
  if (first === undefined) throw new Error("the start of the range could not be computed");
  const rows = await sql.query<Row>({
    name: "activity-by-period",
    text: ACTIVITY,
    values: [
      ctx.account.id,
      first.at,
      ctx.now,
      COUNTED_EVENTS,
      zone,
      step,
      firstIdAt(first.at.getTime()),
      buckets,
    ],
  });
  return [...Map.groupBy(rows, ({ at }) => at.getTime())].map(([at, found]) => toBucket(new Date(at), found));
}

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
const ACTIVITY = `with account as materialized (
    select activity_to, opt_outs_to from accounts where id = $1
  ), since as materialized (
    select coalesce((select activity_to from account), ${firstSeqAt("$2::timestamptz")}) as seq
  ), activity as (
    select hour, metric, latency_step, count from account_hours
    where account_id = $1 and hour >= $2::timestamptz and hour <= $3::timestamptz
    union all
    select hour, metric, latency_step, 1 from (${countedEvents("(select seq from since)", "$4")}) event
    union all
    select ${quarterOf("started_at")}, 'opt_out', 0, 1 from opt_outs
    where account_id = $1 and id >= greatest($7::uuid, (select opt_outs_to from account))
  ), binned as (
    select date_bin($6::interval, hour at time zone $5, '2000-01-01') as local, metric, latency_step,
      sum(count)::int as count
    from activity where hour >= $2::timestamptz group by 1, 2, 3
  ), periods as (
    select date_bin($6::interval, $3::timestamptz at time zone $5, '2000-01-01') - n * $6::interval as local
    from generate_series(0, $8::int - 1) n
  )
  select p.local at time zone $5 as at, b.metric, coalesce(b.latency_step, 0) as step, coalesce(b.count, 0) as count
  from periods p left join binned b on b.local = p.local
  order by p.local`;
