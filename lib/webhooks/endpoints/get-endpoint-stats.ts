import "server-only";
import { z } from "zod";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { sql } from "@/lib/platform/database/db";
import { plannedStatement, type RowOf } from "@/lib/platform/database/statement";
import { percentileOf } from "@/lib/platform/telemetry/latency-steps";
import { explainOutcome } from "@/lib/webhooks/deliveries/explain-attempt";
import { HOUR_MS, lastBuckets } from "@/lib/webhooks/endpoints/attempt-buckets";
import { findWebhookSubscription } from "@/lib/webhooks/subscriptions/find-webhook-subscription";

const PERIODS = {
  "24h": { bucketMs: HOUR_MS, buckets: 24 },
  "7d": { bucketMs: 6 * HOUR_MS, buckets: 28 },
} as const;

const MAX_WAITING = 1000;

const Summary = z.object({
  succeeded: z.int(),
  failed: z.int(),
  /** The median latency of all attempts, accurate to 10%; null without attempts. */
  p50_ms: z.number().nullable(),
  p95_ms: z.number().nullable(),
});

export const GetEndpointStats = contract({
  summary: "Get the delivery statistics of an endpoint",
  tag: "Webhooks",
  right: "view_webhooks",
  params: z.object({ subscriptionId: z.uuid() }),
  query: z.object({ period: z.enum(["24h", "7d"]).default("24h") }),
  returns: z.object({
    period: z.enum(["24h", "7d"]),
    bucket_seconds: z.int(),
    /** Attempts, including retries. */
    total: Summary,
    /** Oldest first; the last bucket is still running. Buckets are one or six hours long, aligned to UTC. */
    buckets: z.array(Summary.extend({ at: z.iso.datetime() })),
    /** Most frequent first. */
    failures: z.array(
      z.object({
        /** The status code of the response, or the reason why there was none. */
        reason: z.string(),
        count: z.int(),
        /** The meaning of the reason, and the recommended action. */
        explanation: z.string(),
        last_at: z.iso.datetime(),
      }),
    ),
    /** Pending deliveries, counted up to 1,000. */
    waiting: z.int(),
  }),
  status: 200,
  errors: ["access_denied", "parameter_invalid", "subscription_not_found"],
});

export type EndpointStats = z.infer<typeof GetEndpointStats.returns>;

type CountRow = RowOf<"read-attempt-counts">;

/**
 * Counts the results of an endpoint's attempts by time and by reason. Errors: subscription_not_found, access_denied.
 */
export async function getEndpointStats(
  ctx: Context,
  { params, query }: Pick<Input<typeof GetEndpointStats>, "params" | "query">,
): Promise<EndpointStats> {
  const { id } = await findWebhookSubscription(ctx, params.subscriptionId);
  const { bucketMs, buckets } = PERIODS[query.period];
  const starts = lastBuckets(ctx.now, bucketMs, buckets);
  const [counts, waiting] = await Promise.all([readCounts(ctx, id, { starts, bucketMs }), countWaiting(id)]);

  return {
    period: query.period,
    bucket_seconds: bucketMs / 1000,
    total: summarize(counts),
    buckets: starts.map((start) => ({
      at: start.toISOString(),
      ...summarize(counts.filter(({ at }) => at.getTime() === start.getTime())),
    })),
    failures: failuresOf(counts),
    waiting,
  };
}

const READ_ATTEMPT_COUNTS = plannedStatement(
  "read-attempt-counts",
  `select date_bin(:bucketMs * interval '1 ms', hour, 'epoch') as "at!", outcome, latency_step as step,
    sum(count)::int as "count!", max(last_at) as "last_at!"
  from webhook_attempt_counts
  where account_id = :accountId and subscription_id = :id and hour >= :hour and hour <= :now
  group by 1, 2, 3`,
);

function readCounts(
  ctx: Context,
  id: string,
  { starts, bucketMs }: { starts: Date[]; bucketMs: number },
): Promise<CountRow[]> {
  return sql.run(READ_ATTEMPT_COUNTS, {
    accountId: ctx.account.id,
    id,
    hour: starts[0],
    bucketMs,
    now: ctx.now,
  });
}

const COUNT_PENDING_DELIVERIES = plannedStatement(
  "count-pending-deliveries",
  `select count(*)::int as count from (
  select 1 from webhook_deliveries where subscription_id = :id and run_at is not null limit :maxwaiting) w`,
);

async function countWaiting(id: string): Promise<number> {
  const [row] = await sql.run(COUNT_PENDING_DELIVERIES, { id, maxwaiting: MAX_WAITING });
  return row?.count ?? 0;
}

function summarize(counts: readonly CountRow[]): z.infer<typeof Summary> {
  const [succeeded, failed] = [counts.filter(isSuccess), counts.filter((row) => !isSuccess(row))];
  return {
    succeeded: sumOf(succeeded),
    failed: sumOf(failed),
    p50_ms: percentileOf(counts, 0.5),
    p95_ms: percentileOf(counts, 0.95),
  };
}

function failuresOf(counts: readonly CountRow[]): EndpointStats["failures"] {
  const byReason = Map.groupBy(
    counts.filter((row) => !isSuccess(row)),
    ({ outcome }) => outcome,
  );
  return [...byReason]
    .map(([reason, rows]) => ({
      reason,
      count: sumOf(rows),
      explanation: explainOutcome(reason) ?? "",
      last_at: new Date(Math.max(...rows.map(({ last_at }) => last_at.getTime()))).toISOString(),
    }))
    .sort((left, right) => right.count - left.count);
}

function isSuccess({ outcome }: CountRow): boolean {
  return /^2\d\d$/.test(outcome);
}

function sumOf(rows: readonly CountRow[]): number {
  return rows.reduce((sum, { count }) => sum + count, 0);
}
