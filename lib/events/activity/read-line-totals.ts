import "server-only";
import { COUNTED_LINE_EVENTS, countedEvents, NIL_UUID, UNCOUNTED } from "@/lib/events/activity/activity";
import { type ActivityRange, RANGE_MS } from "@/lib/events/activity/activity-range";
import { periodSegments } from "@/lib/events/activity/period-segments";
import { type ActivityBucket, startOf, toBucket } from "@/lib/events/activity/read-activity";
import type { Context } from "@/lib/platform/context";
import { sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { firstIdAt } from "@/lib/platform/ids";

/** The activity of a line in a range and in the range before. */
export interface LineTotals {
  total: ActivityBucket;
  before: ActivityBucket;
}

/**
 * The activity of each line with activity, by its ID: in the range that ends now, and in the range before up to the same
 * moment of it. Read from the rows of days, those of quarters of an hour at both ends, and the events of the last minutes.
 */
export async function readLineTotals(
  ctx: Context,
  range: ActivityRange,
  timeZone: string,
): Promise<Map<string, LineTotals>> {
  const until = new Date(ctx.now.getTime() - RANGE_MS[range]);
  const [start, startBefore] = await Promise.all([
    startOf(ctx.now, range, timeZone),
    startOf(until, range, timeZone),
  ]);
  const segments = [
    ...periodSegments(start, ctx.now).map((segment) => ({ ...segment, isBefore: false })),
    ...periodSegments(startBefore, until).map((segment) => ({ ...segment, isBefore: true })),
  ];
  const rows = await sql.run(LINE_TOTALS, {
    accountId: ctx.account.id,
    before: segments.map(({ isBefore }) => isBefore),
    minutes: segments.map(({ minutes }) => minutes),
    from: segments.map(({ from }) => from),
    to: segments.map(({ to }) => to),
    start,
    firstId: firstIdAt(start.getTime()),
    types: COUNTED_LINE_EVENTS,
  });
  const byLine = Map.groupBy(rows, ({ line_id }) => line_id);
  return new Map(
    [...byLine].map(([lineId, found]) => {
      const { now = [], before = [] } = Object.groupBy(found, ({ is_before }) =>
        is_before ? "before" : "now",
      );
      return [lineId, { total: toBucket(start, now), before: toBucket(startBefore, before) }];
    }),
  );
}

// Stops at the first line with a row, and looks at no line if the account itself has no earlier activity.
const LINE_COVERAGE = statement(
  "line-coverage",
  `select not exists (
    select from events e
    where e.account_id = :accountId and e.seq >= coalesce(a.line_activity_to, 0) and e.seq < a.activity_to
  ) and not exists (
    select from opt_outs o
    where o.account_id = :accountId and o.id >= coalesce(a.line_opt_outs_to, ${NIL_UUID}) and o.id < a.opt_outs_to
  ) as "is_complete!",
    exists (select from account_hours h where h.account_id = :accountId and h.hour <= :start::timestamptz)
    and exists (
      select from lines l cross join lateral (
        select from line_activity h
        where h.account_id = :accountId and h.line_id = l.id and h.minutes = 15 and h.at <= :start::timestamptz
        order by h.at limit 1
      ) first
      where l.account_id = :accountId
    ) as "is_known_since!"
  from accounts a where a.id = :accountId`,
);

/** What is counted of the account's lines. */
interface LineCoverage {
  /** Whether kept events and opt-outs are counted by line as far as for the account. false for a time after an upgrade. */
  isComplete: boolean;
  /** Whether the whole range before is counted by line, which begins with the first event that was kept at an upgrade. */
  isBeforeKnown: boolean;
}

/** What is counted of the account's lines in a range that ends now, and in the range before. */
export async function readLineCoverage(
  ctx: Context,
  range: ActivityRange,
  timeZone: string,
): Promise<LineCoverage> {
  const start = await startOf(new Date(ctx.now.getTime() - RANGE_MS[range]), range, timeZone);
  const [row] = await sql.run(LINE_COVERAGE, { accountId: ctx.account.id, start });
  const { is_complete: isComplete = true, is_known_since: isKnownSince = false } = row ?? {};
  return { isComplete, isBeforeKnown: isComplete && isKnownSince };
}

// One scan of the key per line and segment, so the cost depends on neither the messages nor the rows of other times.
const LINE_TOTALS = statement(
  "line-totals",
  `with ${UNCOUNTED}, segment as materialized (
    select * from unnest(:before::boolean[], :minutes::int[], :from::timestamptz[], :to::timestamptz[])
      as s(is_before, minutes, first, until)
  ), activity as (
    select s.is_before, l.id as line_id, counted.metric, counted.latency_step, counted.count
    from segment s cross join lines l cross join lateral (
      select a.metric, a.latency_step, sum(a.count)::int as count from line_activity a
      where a.account_id = :accountId and a.line_id = l.id and a.minutes = s.minutes and a.at >= s.first and a.at < s.until
      group by 1, 2
    ) counted
    where l.account_id = :accountId
    union all
    select false, line_id, metric, latency_step, 1
    from (${countedEvents("(select seq from since)", ":types")}) event
    where line_id is not null and hour >= :start::timestamptz
    union all
    select false, c.line_id, 'opt_out', 0, 1
    from opt_outs o join chats c on c.account_id = :accountId and c.id = o.chat_id
    where o.account_id = :accountId and o.id >= greatest(:firstId::uuid, (select opt_outs_to from account))
  )
  select is_before as "is_before!", line_id as "line_id!", metric as "metric!: LineMetric", latency_step as "step!",
    sum(count)::int as "count!"
  from activity group by 1, 2, 3, 4`,
);
