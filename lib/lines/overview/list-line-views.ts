import "server-only";
import { z } from "zod";
import { findCards, SetContactCard, toContactCard } from "@/lib/lines/contact-cards/contact-card";
import { Line, toLine } from "@/lib/lines/lines/line";
import { filterLines, lineFilterFields } from "@/lib/lines/overview/filter-lines";
import { ChatTally, NO_CHATS, readChatTallies } from "@/lib/lines/overview/line-chats";
import { LineQueue, readLineQueues } from "@/lib/lines/overview/line-queue";
import { DayVolume, readVolumes, Volume, volumeDays } from "@/lib/lines/overview/line-volume";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { prisma } from "@/lib/platform/database/db";
import { exportOf } from "@/lib/platform/lists/export-of";
import type { Line as LineRow } from "@/lib/platform/prisma/client";

const WEEK_DAYS = 7;

/** A line in the dashboard: the API's line and details that only the account's users see. */
export const LineView = Line.extend({
  transport: z.string(),
  is_up: z.boolean(),
  rcs: z.boolean(),
  /** null = the account's tier. */
  attachment_tier: z.enum(["persistent", "ephemeral"]).nullable(),
  contact_card: SetContactCard.nullable(),
  chats: ChatTally,
  queue: LineQueue,
  /** Messages since midnight UTC. */
  today: Volume,
  /** Today and the six days before it, oldest first. */
  week: z.array(DayVolume),
});

export type LineView = z.infer<typeof LineView>;

export const ListLineViews = contract({
  summary: "List phone lines with their settings, chats by health and volume",
  tag: "Phone lines",
  right: "view_lines",
  query: z.object(lineFilterFields),
  returns: z.object({ lines: z.array(LineView) }),
  status: 200,
  errors: ["parameter_invalid"],
  extension: true,
});

/** The lines of the account that match the filters, oldest first, in five statements. Errors: parameter_invalid. */
export async function listLineViews(
  ctx: Context,
  { query }: Pick<Input<typeof ListLineViews>, "query">,
): Promise<{ lines: LineView[] }> {
  const accountId = ctx.account.id;
  const days = volumeDays(ctx.now, WEEK_DAYS);
  const [rows, cards, volumes, tallies, queueOf] = await Promise.all([
    prisma().line.findMany({
      where: { accountId, releasedAt: null },
      orderBy: [{ createdAt: "asc" }, { id: "asc" }],
    }),
    findCards(accountId),
    readVolumes(ctx, days),
    readChatTallies(ctx),
    readLineQueues(ctx),
  ]);
  const cardOf = new Map(cards.map((card) => [card.line_id, toContactCard(card)]));
  const lines = rows.map((row) => {
    const week = volumes(row.id);
    const { sent, received, failed } = week.at(-1) ?? { sent: 0, received: 0, failed: 0 };
    return {
      ...toLineSettings(row),
      contact_card: cardOf.get(row.id) ?? null,
      chats: tallies.get(row.id) ?? NO_CHATS,
      queue: queueOf(row.id),
      today: { sent, received, failed },
      week,
    };
  });
  return { lines: filterLines(lines, query) };
}

/** The settings of a line from its row in `lines`. */
export function toLineSettings(row: LineRow) {
  const { transport, isUp, rcs, attachmentTier } = row;
  return { ...toLine(row), transport, is_up: isUp, rcs, attachment_tier: attachmentTier };
}

/** The lines of an account as CSV. */
export const exportLines = exportOf(ListLineViews, listLineViews, {
  summary: "Export phone lines as CSV",
  filename: "lines.csv",
  itemsOf: (page) => page.lines,
  columns: {
    line_id: ({ id }) => id,
    phone_number: ({ phone_number }) => phone_number,
    label: ({ label }) => label ?? "",
    line_type: ({ line_type }) => line_type,
    status: ({ status }) => status,
    is_up: ({ is_up }) => String(is_up),
    reputation: ({ reputation }) => reputation.status,
    healthy_chats: ({ chats }) => chats.healthy,
    at_risk_chats: ({ chats }) => chats.at_risk,
    critical_chats: ({ chats }) => chats.critical,
    opted_out_chats: ({ chats }) => chats.opted_out,
    sent_7_days: ({ week }) => sum(week.map(({ sent }) => sent)),
    received_7_days: ({ week }) => sum(week.map(({ received }) => received)),
    failed_7_days: ({ week }) => sum(week.map(({ failed }) => failed)),
    waiting_messages: ({ queue }) => queue.waiting,
    oldest_waiting_at: ({ queue }) => queue.oldest_at,
    forwarding_number: ({ forwarding_number }) => forwarding_number,
    transport: ({ transport }) => transport,
    contact_card: ({ contact_card: card }) => [card?.first_name, card?.last_name].filter(Boolean).join(" "),
    created_at: ({ created_at }) => created_at,
  },
});

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}
