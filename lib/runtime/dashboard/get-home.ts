import "server-only";
import { z } from "zod";
import { ACTIVITY_RANGES } from "@/lib/events/activity/activity-range";
import { type ActivityBucket, readActivity, readEarlierActivity } from "@/lib/events/activity/read-activity";
import { readLineCoverage } from "@/lib/events/activity/read-line-totals";
import { throwNotFoundOrDenied } from "@/lib/lines/lines/find-line";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { TimeZone } from "@/lib/platform/time/time-zone";
import { HomeFigures, toAccountFigures, toLineFigures } from "@/lib/runtime/dashboard/home-figures";
import { Attention } from "@/lib/runtime/dashboard/rows/attention";
import { FirstSteps, readFirstSteps } from "@/lib/runtime/dashboard/rows/first-steps";
import { listAttention } from "@/lib/runtime/dashboard/rows/list-attention";

export const HomeQuery = z.object({
  range: z.enum(ACTIVITY_RANGES).default("24h"),
  zone: TimeZone.default("UTC"),
  /** Only the figures of this line of the account. */
  line_id: z.uuid().optional(),
});

export const GetHome = contract({
  summary: "Get what needs attention, the account's activity and its onboarding steps",
  tag: "Accounts",
  right: "signed_in",
  query: HomeQuery,
  returns: z.object({
    range: z.enum(ACTIVITY_RANGES),
    zone: z.string(),
    /** The line of the figures; absent = the account. */
    line_id: z.string().optional(),
    attention: z.array(Attention),
    /** Oldest first; the last period is still running. */
    periods: z.array(HomeFigures.extend({ at: z.iso.datetime() })),
    total: HomeFigures,
    /** false for a line for a time after an upgrade, while earlier events and opt-outs are still counted by line. */
    is_complete: z.boolean(),
    /** The range before, up to the same moment of it. Absent for a line if it begins before lines were counted. */
    before: HomeFigures.optional(),
    steps: FirstSteps,
  }),
  status: 200,
  errors: ["parameter_invalid", "line_not_found", "access_denied"],
});

export type Home = z.infer<typeof GetHome.returns>;

/** Each event of the account is counted once, so its figures are always complete. */
const ACCOUNT_COVERAGE = { isComplete: true, isBeforeKnown: true };

const FIND_HOME_LINE = statement(
  "find-home-line",
  "select id from lines where account_id = :accountId and id = :lineId",
);

/**
 * What needs attention, the activity of the account or of one of its lines in a range that ends now, and the account's
 * onboarding steps. The figures come from counters, so they cost as much for ten million messages as for a few. Errors:
 * line_not_found, access_denied.
 */
export async function getHome(
  ctx: Context,
  { query: { range, zone, line_id: lineId } }: Pick<Input<typeof GetHome>, "query">,
): Promise<Home> {
  const isLastDay = lineId === undefined && range === "24h";
  const activity = readActivity(ctx, range, zone, lineId);
  const lastDay = isLastDay ? activity : readActivity(ctx, "24h", "UTC");
  const [steps, buckets, before, attention, line, coverage] = await Promise.all([
    readFirstSteps(ctx),
    activity,
    readEarlierActivity(ctx, range, zone, lineId),
    lastDay.then((periods) => listAttention(ctx, toAccountFigures(periods))),
    lineId === undefined ? [] : sql.run(FIND_HOME_LINE, { accountId: ctx.account.id, lineId }),
    lineId === undefined ? ACCOUNT_COVERAGE : readLineCoverage(ctx, range, zone),
  ]);
  if (lineId !== undefined && line.length === 0) await throwNotFoundOrDenied(ctx, lineId);
  const figuresOf = lineId === undefined ? toAccountFigures : toFiguresOfLine;
  return {
    range,
    zone,
    ...(lineId !== undefined && { line_id: lineId }),
    attention,
    periods: buckets.map((bucket) => ({ at: bucket.at.toISOString(), ...figuresOf([bucket]) })),
    total: figuresOf(buckets),
    is_complete: coverage.isComplete,
    ...(coverage.isBeforeKnown && { before: figuresOf([before]) }),
    steps,
  };
}

function toFiguresOfLine(buckets: readonly ActivityBucket[]): HomeFigures {
  return { ...toLineFigures(buckets), payments_succeeded: null, payments_declined: null };
}
