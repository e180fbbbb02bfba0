import "server-only";
import { z } from "zod";
import { ACTIVITY_RANGES } from "@/lib/events/activity/activity-range";
import { type ActivityBucket, readActivity, readEarlierActivity } from "@/lib/events/activity/read-activity";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { percentileOf } from "@/lib/platform/telemetry/latency-steps";
import { TimeZone } from "@/lib/platform/time/time-zone";
import { Attention } from "@/lib/runtime/dashboard/rows/attention";
import { FirstSteps, readFirstSteps } from "@/lib/runtime/dashboard/rows/first-steps";
import { listAttention } from "@/lib/runtime/dashboard/rows/list-attention";

const Figures = z.object({
  sent: z.int(),
  received: z.int(),
  /** Receipts that arrived in the period, also for messages sent before it. */
  delivered: z.int(),
  failed: z.int(),
  /** Time from acceptance to delivery, accurate to 10%; null without deliveries. */
  delivery_p50_ms: z.number().nullable(),
  delivery_p95_ms: z.number().nullable(),
  opted_out: z.int(),
  payments_succeeded: z.int(),
  payments_declined: z.int(),
});

export type HomeFigures = z.infer<typeof Figures>;

export const HomeQuery = z.object({
  range: z.enum(ACTIVITY_RANGES).default("24h"),
  zone: TimeZone.default("UTC"),
});

export const GetHome = contract({
  summary: "Get what needs attention, the account's activity and its onboarding steps",
  tag: "Accounts",
  right: "signed_in",
  query: HomeQuery,
  returns: z.object({
    range: z.enum(ACTIVITY_RANGES),
    zone: z.string(),
    attention: z.array(Attention),
    /** Oldest first; the last period is still running. */
    periods: z.array(Figures.extend({ at: z.iso.datetime() })),
    total: Figures,
    /** The range before, up to the same moment of it. */
    before: Figures,
    steps: FirstSteps,
  }),
  status: 200,
  errors: ["parameter_invalid"],
});

export type Home = z.infer<typeof GetHome.returns>;

/**
 * What needs attention, the account's activity in a range that ends now, and its onboarding steps. The figures come from
 * counters, so they cost as much for ten million messages as for a few.
 */
export async function getHome(
  ctx: Context,
  { query: { range, zone } }: Pick<Input<typeof GetHome>, "query">,
): Promise<Home> {
  const reading = readActivity(ctx, range, zone);
  const [steps, buckets, before, lastDay] = await Promise.all([
    readFirstSteps(ctx),
    reading,
    readEarlierActivity(ctx, range, zone),
    range === "24h" ? reading : readActivity(ctx, "24h", "UTC"),
  ]);
  return {
    range,
    zone,
    attention: await listAttention(ctx, toFigures(lastDay)),
    periods: buckets.map((bucket) => ({ at: bucket.at.toISOString(), ...toFigures([bucket]) })),
    total: toFigures(buckets),
    before: toFigures([before]),
    steps,
  };
}

function toFigures(buckets: readonly ActivityBucket[]): HomeFigures {
  const latencies = buckets.flatMap((bucket) => bucket.latencies);
  const sumOf = (metric: keyof ActivityBucket["counts"]) =>
    buckets.reduce((sum, { counts }) => sum + counts[metric], 0);
  return {
    sent: sumOf("message.sent"),
    received: sumOf("message.received"),
    delivered: sumOf("message.delivered"),
    failed: sumOf("message.failed"),
    delivery_p50_ms: percentileOf(latencies, 0.5),
    delivery_p95_ms: percentileOf(latencies, 0.95),
    opted_out: sumOf("opt_out"),
    payments_succeeded: sumOf("payment.succeeded"),
    payments_declined: sumOf("payment.declined"),
  };
}
