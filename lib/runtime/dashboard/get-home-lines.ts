import "server-only";
import { z } from "zod";
import { compareLines } from "@/lib/client/line-text";
import { ACTIVITY_RANGES } from "@/lib/events/activity/activity-range";
import { readLineCoverage, readLineTotals } from "@/lib/events/activity/read-line-totals";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { HomeQuery } from "@/lib/runtime/dashboard/get-home";
import { LineFigures, toLineFigures } from "@/lib/runtime/dashboard/home-figures";

const HomeLine = z.object({
  id: z.string(),
  phone_number: z.string(),
  label: z.string().optional(),
  /** The account gave the number back or the line was moved; its page is gone. */
  is_released: z.boolean(),
  total: LineFigures,
  /** The range before, up to the same moment of it. Absent without figures, or if it begins before lines were counted. */
  before: LineFigures.optional(),
});

export type HomeLine = z.infer<typeof HomeLine>;

export const GetHomeLines = contract({
  summary: "Compare the activity of the account's lines",
  tag: "Phone lines",
  right: "view_lines",
  query: HomeQuery.omit({ line_id: true }),
  returns: z.object({
    range: z.enum(ACTIVITY_RANGES),
    zone: z.string(),
    /** By label and number. Lines that were released are listed if they have figures. */
    lines: z.array(HomeLine),
    /** false for a time after an upgrade, while earlier events and opt-outs are still counted by line. */
    is_complete: z.boolean(),
  }),
  status: 200,
  errors: ["parameter_invalid"],
});

export type HomeLines = z.infer<typeof GetHomeLines.returns>;

const LINES_OF_HOME = statement(
  "lines-of-home",
  `select id, phone_number, label, released_at is not null as "is_released!" from lines where account_id = :accountId`,
);

/**
 * The activity of each line in a range that ends now and in the range before. Read from the rows of days, so it costs
 * little for hundreds of lines and does not depend on the number of messages; yet more than Home, so pages ask for it
 * less often.
 */
export async function getHomeLines(
  ctx: Context,
  { query: { range, zone } }: Pick<Input<typeof GetHomeLines>, "query">,
): Promise<HomeLines> {
  const [rows, totals, coverage] = await Promise.all([
    sql.run(LINES_OF_HOME, { accountId: ctx.account.id }),
    readLineTotals(ctx, range, zone),
    readLineCoverage(ctx, range, zone),
  ]);
  const lines = rows
    .filter(({ id, is_released }) => !is_released || totals.has(id))
    .map(({ label, ...line }) => {
      const found = totals.get(line.id);
      return {
        ...line,
        ...(label !== null && { label }),
        total: toLineFigures(found ? [found.total] : []),
        ...(found && coverage.isBeforeKnown && { before: toLineFigures([found.before]) }),
      };
    });
  return { range, zone, lines: lines.toSorted(compareLines), is_complete: coverage.isComplete };
}
