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
 * Returns the daily volumes of one line or of all lines of the account, oldest day first, in one statement, by line
 * id. Days without messages are zero. Counted periods are one row per line and day, so only the messages of the last
 * minutes are counted here.
 */
export async function readVolumes(
  ctx: Context,
  days: readonly string[],
  lineId: string | null = null,
): Promise<(lineId: string) => DayVolume[]> {
  const from = days[0] ?? ctx.now.toISOString().slice(0, 10);
  const rows = await sql.query<DayVolume & { line_id: string }>({
    name: "volume-by-line-and-day",
    text: VOLUMES,
    values: [ctx.account.id, from, firstIdAt(Date.parse(from)), lineId],
  });
  const found = new Map(rows.map(({ line_id, ...volume }) => [`${line_id} ${volume.date}`, volume]));
  return (id) => days.map((date) => found.get(`${id} ${date}`) ?? { date, sent: 0, received: 0, failed: 0 });
}

// Failures are rare and can be reversed by a late receipt, so they are counted when requested, with a separate index.
// Ids of messages begin with their time, so days and uncounted periods are ranges of ids.
const VOLUMES = `with volume as (
    select line_id, day, sent, received, 0 as failed from line_days
    where account_id = $1 and day >= $2::date and ($4::uuid is null or line_id = $4)
    union all
    select line_id, (created_at at time zone 'UTC')::date, count(*) filter (where is_from_me),
      count(*) filter (where not is_from_me), 0
    from messages
    where account_id = $1 and ($4::uuid is null or line_id = $4)
      and id >= greatest($3::uuid, (select volumes_to from accounts where id = $1))
    group by 1, 2
    union all
    select line_id, (created_at at time zone 'UTC')::date, 0, 0, count(*)
    from messages
    where account_id = $1 and id >= $3 and failed_at is not null and is_from_me and delivery_status = 'failed'
      and ($4::uuid is null or line_id = $4)
    group by 1, 2
  )
  select line_id, to_char(day, 'YYYY-MM-DD') as date, sum(sent)::int as sent, sum(received)::int as received,
    sum(failed)::int as failed
  from volume group by line_id, day`;
