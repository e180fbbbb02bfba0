import "server-only";
import { z } from "zod";
import { findCards, toContactCard } from "@/lib/lines/contact-cards/contact-card";
import { throwNotFoundOrDenied } from "@/lib/lines/lines/find-line";
import { LineCapacity, readLineCapacity } from "@/lib/lines/overview/line-capacity";
import { NO_CHATS, readChatTallies } from "@/lib/lines/overview/line-chats";
import { readLineQueues } from "@/lib/lines/overview/line-queue";
import { DayVolume, readVolumes, volumeDays } from "@/lib/lines/overview/line-volume";
import { LineView, toLineSettings } from "@/lib/lines/overview/list-line-views";
import { ListedAudit, listLineAudits } from "@/lib/lines/reputation/list-line-audits";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { prisma } from "@/lib/platform/database/db";
import { FlaggedBy } from "@/lib/platform/prisma/enums";

const SHOWN_DAYS = 30;

/** A line on its details page. */
const LineDetails = LineView.omit({ week: true, today: true }).extend({
  /** The actor and the time of the flag. null while the line is ACTIVE. */
  flagged_by: z.enum(FlaggedBy).nullable(),
  flagged_at: z.iso.datetime().nullable(),
  /** After a user clears the line's flag, its reputation alone does not flag it again until this time. */
  auto_flag_paused_until: z.iso.datetime().nullable(),
  /** The last 30 days in UTC, today last. */
  days: z.array(DayVolume),
  capacity: LineCapacity,
  /** Newest first. */
  audits: z.array(ListedAudit),
  /** The time from which another audit can be requested; null = now. */
  audit_free_at: z.iso.datetime().nullable(),
});

export type LineDetails = z.infer<typeof LineDetails>;

export const GetLineView = contract({
  summary: "Get a phone line with its chats by health, volume and audits",
  tag: "Phone lines",
  right: "view_lines",
  params: z.object({ lineId: z.uuid() }),
  returns: LineDetails,
  status: 200,
  errors: ["access_denied", "line_not_found"],
  extension: true,
});

/**
 * Returns one line with everything its details page shows, in seven statements. Errors: line_not_found, access_denied.
 */
export async function getLineView(
  ctx: Context,
  { params: { lineId } }: Pick<Input<typeof GetLineView>, "params">,
): Promise<LineDetails> {
  const accountId = ctx.account.id;
  const row = await prisma().line.findUnique({
    where: { accountId_id: { accountId, id: lineId }, releasedAt: null },
  });
  if (row === null) return throwNotFoundOrDenied(ctx, lineId);

  const dates = volumeDays(ctx.now, SHOWN_DAYS);
  const [[card], volumes, tallies, queueOf, audits] = await Promise.all([
    findCards(accountId, { lineId }),
    readVolumes(ctx, dates, lineId),
    readChatTallies(ctx, lineId),
    readLineQueues(ctx, lineId),
    listLineAudits(ctx, lineId),
  ]);

  const days = volumes(lineId);
  const today = days.at(-1);
  if (today === undefined) throw new Error("a line page shows at least one day");

  return {
    ...toLineSettings(row),
    contact_card: card === undefined ? null : toContactCard(card),
    chats: tallies.get(lineId) ?? NO_CHATS,
    flagged_by: row.flaggedBy,
    flagged_at: row.flaggedAt?.toISOString() ?? null,
    auto_flag_paused_until: row.autoFlagPausedUntil?.toISOString() ?? null,
    days,
    queue: queueOf(lineId),
    capacity: await readLineCapacity(ctx, today),
    ...audits,
  };
}
