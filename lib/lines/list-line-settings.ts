import "server-only";
import { z } from "zod";
import { findCards, SetContactCard, toContactCard } from "@/lib/contact-cards/contact-card";
import { Line, toLine } from "@/lib/lines/line";
import type { Context } from "@/lib/platform/context";
import { contract } from "@/lib/platform/contract";
import { prisma, sql } from "@/lib/platform/db";
import { firstIdAt } from "@/lib/platform/ids";
import type { Line as LineRow } from "@/lib/platform/prisma/client";

const Volume = z.object({ sent: z.int(), received: z.int(), failed: z.int() });

/** A line as the dashboard shows it: the wire's record with what only its own people need. */
const LineSettings = Line.extend({
  transport: z.string(),
  is_up: z.boolean(),
  rcs: z.boolean(),
  /** null = as the account's. */
  attachment_tier: z.enum(["persistent", "ephemeral"]).nullable(),
  contact_card: SetContactCard.nullable(),
  /** Messages since midnight UTC. */
  today: Volume,
});

type LineSettings = z.infer<typeof LineSettings>;

export const ListLineSettings = contract({
  summary: "List phone lines with their settings and today's volume",
  tag: "Phone lines",
  returns: z.object({ lines: z.array(LineSettings) }),
  status: 200,
  errors: [],
  extension: true,
});

/** All lines of the account, oldest first, in three statements however many they are. */
export async function listLineSettings(ctx: Context): Promise<{ lines: LineSettings[] }> {
  const accountId = ctx.account.id;
  const [rows, cards, volumes] = await Promise.all([
    prisma().line.findMany({
      where: { accountId, releasedAt: null },
      orderBy: [{ createdAt: "asc" }, { id: "asc" }],
    }),
    findCards(accountId),
    readVolumes(ctx),
  ]);
  const cardOf = new Map(cards.map((card) => [card.line_id, toContactCard(card)]));
  const lines = rows.map((row) => ({
    ...toLineSettings(row),
    contact_card: cardOf.get(row.id) ?? null,
    today: volumes.get(row.id) ?? { sent: 0, received: 0, failed: 0 },
  }));
  return { lines };
}

function toLineSettings(row: LineRow) {
  const { transport, isUp, rcs, attachmentTier } = row;
  return { ...toLine(row), transport, is_up: isUp, rcs, attachment_tier: attachmentTier };
}

// Ids of messages begin with their time, so the day is a range of the primary key.
async function readVolumes(ctx: Context): Promise<Map<string, z.infer<typeof Volume>>> {
  const midnight = new Date(ctx.now).setUTCHours(0, 0, 0, 0);
  const rows = await sql.query<z.infer<typeof Volume> & { line_id: string }>({
    name: "volume-by-line",
    text: `select line_id, count(*) filter (where is_from_me)::int as sent,
             count(*) filter (where not is_from_me)::int as received,
             count(*) filter (where is_from_me and delivery_status = 'failed')::int as failed
           from messages where account_id = $1 and id >= $2 and deleted_at is null group by line_id`,
    values: [ctx.account.id, firstIdAt(midnight)],
  });
  return new Map(rows.map(({ line_id, ...volume }) => [line_id, volume]));
}
