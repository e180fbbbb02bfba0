import "server-only";
import {
  type ActivityMetric,
  COUNTED_EVENTS,
  COUNTED_LINE_EVENTS,
  countedEvents,
  FAILED_AFTER_SENT,
  quarterOf,
  UNCOUNTED,
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
  /** Of the failed messages, those that are also counted as sent. */
  failedAfterSent: number;
  /** The times from acceptance to delivery of the messages delivered in the period. */
  latencies: readonly StepCount[];
}

/** The count of a metric in a period, with the step of its time to delivered. */
export type ActivityCount = Pick<RowOf<"activity-by-period">, "metric" | "step" | "count">;

const ACTIVITY_START = statement(
  "activity-start",
  `select (date_bin(:step::interval, :now::timestamptz at time zone :zone, '2000-01-01')
  - (:buckets::int - 1) * :step::interval) at time zone :zone as "at!"`,
);

/**
 * The activity of the account, or of one of its lines, in a range that ends now, oldest period first; the last period is
 * still running. Hours begin with the hour of UTC, longer periods at midnight of the time zone. Counted periods are a few
 * rows per quarter of an hour, so only the events of the last minutes are counted here. `timeZone` must be a name that
 * `Intl` knows.
 */
export async function readActivity(
  ctx: Context,
  range: ActivityRange,
  timeZone: string,
  lineId?: string,
): Promise<ActivityBucket[]> {
  const { buckets, step } = RANGES[range];
  const zone = range === "24h" ? "UTC" : timeZone;
  const start = await startOf(ctx.now, range, timeZone);
  const firstId = firstIdAt(start.getTime());
  const parameters = { accountId: ctx.account.id, start, firstId, now: ctx.now, zone, step, buckets };
  const rows =
    lineId === undefined
      ? await sql.run(ACTIVITY_BY_PERIOD, { ...parameters, types: COUNTED_EVENTS })
      : await sql.run(LINE_ACTIVITY_BY_PERIOD, { ...parameters, lineId, types: COUNTED_LINE_EVENTS });
  return [...Map.groupBy(rows, ({ at }) => at.getTime())].map(([at, found]) => toBucket(new Date(at), found));
}

/**
 * The activity of the account, or of one of its lines, in the range before, up to the same moment of it, so that a running
 * period is compared with the same part of its predecessor. Read from counters only: events that are not counted yet are
 * more recent.
 */
export async function readEarlierActivity(
  ctx: Context,
  range: ActivityRange,
  timeZone: string,
  lineId?: string,
): Promise<ActivityBucket> {
  const until = new Date(ctx.now.getTime() - RANGE_MS[range]);
  const start = await startOf(until, range, timeZone);
  const parameters = { accountId: ctx.account.id, start, until };
  const rows =
    lineId === undefined
      ? await sql.run(EARLIER_ACTIVITY, parameters)
      : await sql.run(EARLIER_LINE_ACTIVITY, { ...parameters, lineId });
  return toBucket(start, rows);
}

/** The start of the range that ends at `now`: the beginning of its first period in the time zone. */
export async function startOf(now: Date, range: ActivityRange, timeZone: string): Promise<Date> {
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

const EARLIER_LINE_ACTIVITY = statement(
  "earlier-line-activity",
  `select metric as "metric: LineMetric", latency_step as "step!", sum(count)::int as "count!"
  from line_activity
  where account_id = :accountId and line_id = :lineId and minutes = 15
    and at >= :start::timestamptz and at <= :until::timestamptz
  group by 1, 2`,
);

/** The activity of a period from its counts. */
export function toBucket(at: Date, rows: readonly ActivityCount[]): ActivityBucket {
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
    failedAfterSent: rows
      .filter(({ metric, step }) => metric === "message.failed" && step === FAILED_AFTER_SENT)
      .reduce((sum, { count }) => sum + count, 0),
    latencies: rows
      .filter(({ metric }) => metric === "message.delivered")
      .map(({ step, count }) => ({ step, count })),
  };
}

// Periods are wall-clock times of the zone, so a day with a change to daylight saving time has 23 or 25 hours.
const BY_PERIOD = `, binned as (
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
  order by p.local`;

const ACTIVITY_BY_PERIOD = statement(
  "activity-by-period",
  `with ${UNCOUNTED}, activity as (
    select hour, metric, latency_step, count from account_hours
    where account_id = :accountId and hour >= :start::timestamptz and hour <= :now::timestamptz
    union all
    select hour, metric, latency_step, 1 from (${countedEvents("(select seq from since)", ":types")}) event
    union all
    select ${quarterOf("started_at")}, 'opt_out', 0, 1 from opt_outs
    where account_id = :accountId and id >= greatest(:firstId::uuid, (select opt_outs_to from account))
  )
  ${BY_PERIOD}`,
);

const LINE_ACTIVITY_BY_PERIOD = statement(
  "line-activity-by-period",
  `with ${UNCOUNTED}, activity as (
    select at as hour, metric, latency_step, count from line_activity
    where account_id = :accountId and line_id = :lineId and minutes = 15
      and at >= :start::timestamptz and at <= :now::timestamptz
    union all
    select hour, metric, latency_step, 1 from (${countedEvents("(select seq from since)", ":types")}) event
    where line_id = :lineId
    union all
    select ${quarterOf("o.started_at")}, 'opt_out', 0, 1
    from opt_outs o join chats c on c.account_id = :accountId and c.id = o.chat_id and c.line_id = :lineId
    where o.account_id = :accountId and o.id >= greatest(:firstId::uuid, (select opt_outs_to from account))
  )
  ${BY_PERIOD}`,
);
