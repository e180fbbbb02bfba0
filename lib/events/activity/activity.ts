import "server-only";
import { seqBlock, timeBlock } from "@/lib/events/store/event-blocks";
import { latencyStepSql } from "@/lib/platform/telemetry/latency-steps";

/** The counts of `line_activity`: events of messages by type, and opt-outs, which have no event. */
const LINE_METRICS = [
  "message.sent",
  "message.received",
  "message.delivered",
  "message.failed",
  "opt_out",
] as const;

/** The counts of `account_hours`. */
const ACTIVITY_METRICS = [...LINE_METRICS, "payment.succeeded", "payment.declined"] as const;

export type LineMetric = (typeof LINE_METRICS)[number];
export type ActivityMetric = (typeof ACTIVITY_METRICS)[number];

/** Before all ids, in SQL. */
export const NIL_UUID = "'00000000-0000-0000-0000-000000000000'::uuid";

/** The `latency_step` of a message.failed whose message had been sent: it was counted as sent, too. */
export const FAILED_AFTER_SENT = 1;

/**
 * SQL for the quarter of an hour of a time, by which the activity is counted in the column `hour`: days of every time
 * zone begin with one. Rows of earlier releases count a whole hour.
 */
export function quarterOf(time: string): string {
  return binOf("15 minutes", time);
}

/** SQL for the beginning of the period (UTC) of a time. `length` is an interval that divides a day. */
export function binOf(length: "15 minutes" | "1 day", time: string): string {
  return `date_bin('${length}', ${time}, '2000-01-01 00:00:00Z'::timestamptz)`;
}

/**
 * SQL for the latency step of a row of `line_activity`: the middle one of three steps of a time to delivered, so that
 * hundreds of lines have few rows. Percentiles of lines are accurate to a third.
 */
export function lineStep(metric: string, step: string): string {
  return `case when ${metric} = 'message.delivered' then greatest((${step} + 2) / 3 * 3 - 1, 0) else ${step} end`;
}

/** The metrics that are event types. */
export const COUNTED_EVENTS: readonly string[] = ACTIVITY_METRICS.filter((metric) => metric !== "opt_out");

/** The metrics of lines that are event types. */
export const COUNTED_LINE_EVENTS: readonly string[] = LINE_METRICS.filter((metric) => metric !== "opt_out");

/** SQL for the number of the account's first partner-facing event at or after a time; null without one. */
function firstSeqAt(time: string): string {
  return `(select e.seq from events e
    where e.account_id = :accountId and not e.internal
      and ${timeBlock("e.created_at")} >= ${timeBlock(time)} and e.created_at >= ${time}
    order by ${timeBlock("e.created_at")}, e.created_at, e.seq limit 1)`;
}

/**
 * SQL for the line, quarter of an hour, metric and latency step of the counted events of `:accountId` with numbers from
 * `since`. `types` is the parameter with their types. The latency of a delivered message starts when it was accepted.
 */
export function countedEvents(since: string, types: string): string {
  const latencyMs = "extract(epoch from m.delivered_at - m.created_at) * 1000";
  return `select ${quarterOf("e.created_at")} as hour, e.type as metric, e.line_id, e.seq,
      case when e.type = 'message.delivered' and m.delivered_at is not null then ${latencyStepSql(latencyMs)}
        when e.type = 'message.failed' and m.sent_at is not null then ${FAILED_AFTER_SENT} else 0 end as latency_step
    from events e left join messages m on m.account_id = :accountId
      and m.id = case when e.type in ('message.delivered', 'message.failed') then e.message_id end
    where e.account_id = :accountId and e.type = any(${types}) and not e.internal
      and ${seqBlock("e.seq")} >= ${seqBlock(since)} and e.seq >= ${since}`;
}

/**
 * SQL for parts of a statement: `account`, up to which the account is counted (activity_to, opt_outs_to), and `since`, the
 * number (seq) of the first event that is not. Without a position: the first event at or after `:start`. Lines are
 * counted up to the same position, except for events that were kept at an upgrade, until those are counted by line.
 */
export const UNCOUNTED = `account as materialized (
    select activity_to, opt_outs_to from accounts where id = :accountId
  ), since as materialized (
    select coalesce((select activity_to from account), ${firstSeqAt(":start::timestamptz")}) as seq
  )`;

/**
 * SQL for parts of a statement that adds `line_event` (line_id, hour, metric, latency_step) and `line_opt_out` (line_id,
 * hour) to `line_activity`.
 */
export const STORE_LINE_ACTIVITY = `line_counted as materialized (
    select line_id, hour, metric, ${lineStep("metric", "latency_step")} as latency_step, count(*)::int as count
    from line_event where line_id is not null
    group by 1, 2, 3, 4
    union all
    select line_id, hour, 'opt_out', 0, count(*)::int from line_opt_out where line_id is not null
    group by 1, 2
  ), line_stored as (
    insert into line_activity as h (account_id, line_id, minutes, at, metric, latency_step, count)
    select :accountId, line_id, 15, hour, metric, latency_step, count from line_counted
    union all
    select :accountId, line_id, 1440, ${binOf("1 day", "hour")}, metric, latency_step, sum(count)::int
    from line_counted group by 2, 4, 5, 6
    on conflict (account_id, line_id, minutes, at, metric, latency_step) do update set count = h.count + excluded.count
  )`;
