import "server-only";
import { z } from "zod";
import type { ActivityBucket } from "@/lib/events/activity/read-activity";
import { percentileOf } from "@/lib/platform/telemetry/latency-steps";

/** The figures of a line. */
export const LineFigures = z.object({
  sent: z.int(),
  received: z.int(),
  /** Receipts that arrived in the period, also for messages sent before it. */
  delivered: z.int(),
  failed: z.int(),
  /** Of `failed`: messages that had been sent. `sent` contains them, too. */
  failed_after_sent: z.int(),
  /** Time from acceptance to delivery, accurate to 10%, of a line to a third; null without deliveries. */
  delivery_p50_ms: z.number().nullable(),
  delivery_p95_ms: z.number().nullable(),
  /** Of a line: opt-outs in its chats. */
  opted_out: z.int(),
});

/** The figures of an account, or of one of its lines. */
export const HomeFigures = LineFigures.extend({
  /** null for a line: payments belong to no line. */
  payments_succeeded: z.int().nullable(),
  payments_declined: z.int().nullable(),
});

export type LineFigures = z.infer<typeof LineFigures>;
export type HomeFigures = z.infer<typeof HomeFigures>;

/** The figures of a line from its activity. */
export function toLineFigures(buckets: readonly ActivityBucket[]): LineFigures {
  const latencies = buckets.flatMap((bucket) => bucket.latencies);
  return {
    sent: sumOf(buckets, "message.sent"),
    received: sumOf(buckets, "message.received"),
    delivered: sumOf(buckets, "message.delivered"),
    failed: sumOf(buckets, "message.failed"),
    failed_after_sent: buckets.reduce((sum, { failedAfterSent }) => sum + failedAfterSent, 0),
    delivery_p50_ms: percentileOf(latencies, 0.5),
    delivery_p95_ms: percentileOf(latencies, 0.95),
    opted_out: sumOf(buckets, "opt_out"),
  };
}

/** The figures of an account from its activity. */
export function toAccountFigures(buckets: readonly ActivityBucket[]) {
  return {
    ...toLineFigures(buckets),
    payments_succeeded: sumOf(buckets, "payment.succeeded"),
    payments_declined: sumOf(buckets, "payment.declined"),
  };
}

function sumOf(buckets: readonly ActivityBucket[], metric: keyof ActivityBucket["counts"]): number {
  return buckets.reduce((sum, { counts }) => sum + counts[metric], 0);
}
