import "server-only";
import { z } from "zod";
import type { Context } from "@/lib/platform/context";
import { sql } from "@/lib/platform/db";
import { firstIdAt } from "@/lib/platform/ids";

const DAY_MS = 86_400_000;

export const Volume = z.object({ sent: z.int(), received: z.int(), failed: z.int() });

/** The messages of a day in UTC. */
export const DayVolume = Volume.extend({ date: z.iso.date() });
export type DayVolume = z.infer<typeof DayVolume>;

/** The last days in UTC, today last, as YYYY-MM-DD. */
export function volumeDays(now: Date, count: number): string[] {
  const today = new Date(now).setUTCHours(0, 0, 0, 0);
  return Array.from({ length: count }, (_, index) =>
    new Date(today - (count - 1 - index) * DAY_MS).toISOString().slice(0, 10),
  );
}

/**
 * What lines carried on each of these days, the oldest first, in one statement: of all lines of the account, or of one.
 * Answers by the id of a line; days without a message are zero.
 */
export async function readVolumes(
  ctx: Context,
  days: readonly string[],
  lineId: string | null = null,
): Promise<(lineId: string) => DayVolume[]> {
  const from = Date.parse(days[0] ?? ctx.now.toISOString());
  // Ids of messages begin with their time, so the days are a range of the primary key.
  const rows = await sql.query<DayVolume & { line_id: string }>({
    name: "volume-by-line-and-day",
    text: `select line_id, to_char(created_at at time zone 'UTC', 'YYYY-MM-DD') as date,
             count(*) filter (where is_from_me)::int as sent,
             count(*) filter (where not is_from_me)::int as received,
             count(*) filter (where is_from_me and delivery_status = 'failed')::int as failed
           from messages
           where account_id = $1 and id >= $2 and ($3::uuid is null or line_id = $3)
           group by line_id, 2`,
    values: [ctx.account.id, firstIdAt(from), lineId],
  });
  const found = new Map(rows.map(({ line_id, ...volume }) => [`${line_id} ${volume.date}`, volume]));
  return (id) => days.map((date) => found.get(`${id} ${date}`) ?? { date, sent: 0, received: 0, failed: 0 });
}
