import "server-only";
import { z } from "zod";
import type { Context } from "@/lib/platform/context";
import { sql } from "@/lib/platform/database/db";
import { type RowOf, statement } from "@/lib/platform/database/statement";
import { firstIdAt } from "@/lib/platform/ids";

const DAY_MS = 86_400_000;
const NOTHING = { sent: 0, received: 0, failed: 0, new_chats: 0 };

export const Volume = z.object({ sent: z.int(), received: z.int(), failed: z.int() });

/** The messages and new chats of a day in UTC. */
export const DayVolume = Volume.extend({ date: z.iso.date(), new_chats: z.int() });
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
  const rows = await selectVolumes(ctx, days[0] ?? ctx.now.toISOString().slice(0, 10), lineId);
  const found = new Map(rows.map(({ line_id, ...volume }) => [`${line_id} ${volume.date}`, volume]));
  return (id) => days.map((date) => found.get(`${id} ${date}`) ?? { date, ...NOTHING });
}

function selectVolumes(
  ctx: Context,
  from: string,
  lineId: string | null,
): Promise<RowOf<"volume-by-line-and-day">[]> {
  return sql.run(VOLUMES, {
    accountId: ctx.account.id,
    from,
    firstIdAt: firstIdAt(Date.parse(from)),
    lineId,
  });
}

// A late receipt can reverse a failure, so those of the last three days are counted when requested, with a separate index.
// Ids of messages and chats begin with their time, so days and uncounted periods are ranges of ids.
const VOLUMES = statement(
  "volume-by-line-and-day",
  `with uncounted as materialized (
    select greatest(:firstIdAt::uuid, volumes_to) as since, greatest(:firstIdAt::uuid, failures_to) as failures_since
    from accounts where id = :accountId
  ), volume as (
    select line_id, day, sent, received, failed, new_chats from line_days
    where account_id = :accountId and day >= :from::date and (:lineId::uuid is null or line_id = :lineId)
    union all
    select line_id, (created_at at time zone 'UTC')::date, count(*) filter (where is_from_me),
      count(*) filter (where not is_from_me), 0, 0
    from messages
    where account_id = :accountId and (:lineId::uuid is null or line_id = :lineId) and id >= (select since from uncounted)
    group by 1, 2
    union all
    select line_id, (created_at at time zone 'UTC')::date, 0, 0, 0, count(*)
    from chats
    where account_id = :accountId and (:lineId::uuid is null or line_id = :lineId) and id >= (select since from uncounted)
    group by 1, 2
    union all
    select line_id, (created_at at time zone 'UTC')::date, 0, 0, count(*), 0
    from messages
    where account_id = :accountId and id >= (select failures_since from uncounted) and failed_at is not null and is_from_me and delivery_status = 'failed'
      and (:lineId::uuid is null or line_id = :lineId)
    group by 1, 2
  )
  select line_id, to_char(day, 'YYYY-MM-DD') as date, sum(sent)::int as "sent!", sum(received)::int as "received!",
    sum(failed)::int as "failed!", sum(new_chats)::int as "new_chats!"
  from volume group by line_id, day`,
);
