import "server-only";
import { seqBlock, timeBlock } from "@/lib/events/event-blocks";
import type { Context } from "@/lib/platform/context";
import { sql } from "@/lib/platform/db";

/**
 * The number of the account's messages that were delivered since midnight (UTC). Receipts of the last minutes are
 * counted here, all others come from `line_days`.
 */
export async function readReceiptsOfToday(ctx: Context): Promise<number> {
  const [row] = await sql.query<{ count: number }>({
    name: "receipts-of-today",
    text: TODAY,
    values: [ctx.account.id, midnightOf(ctx.now)],
  });
  return row?.count ?? 0;
}

/** Midnight (UTC) of the day of a time. */
export function midnightOf(at: Date): Date {
  return new Date(new Date(at).setUTCHours(0, 0, 0, 0));
}

/** SQL for the number of the account's first partner-facing event at or after a time; null without one. */
export function firstSeqAt(time: string): string {
  return `(select e.seq from events e
    where e.account_id = $1 and not e.internal
      and ${timeBlock("e.created_at")} >= ${timeBlock(time)} and e.created_at >= ${time}
    order by ${timeBlock("e.created_at")}, e.created_at, e.seq limit 1)`;
}

/** SQL for the conditions of the account's receipts with numbers from `since`. */
export function receiptsFrom(since: string): string {
  return `e.account_id = $1 and e.type = 'message.delivered' and not e.internal
    and ${seqBlock("e.seq")} >= ${seqBlock(since)} and e.seq >= ${since}`;
}

const TODAY = `with since as materialized (
    select coalesce((select receipts_to from accounts where id = $1), ${firstSeqAt("$2::timestamptz")}) as seq
  )
  select (
    (select coalesce(sum(delivered), 0) from line_days
      where account_id = $1 and day = ($2::timestamptz at time zone 'UTC')::date)
    + (select count(*) from events e
      where ${receiptsFrom("(select seq from since)")} and e.created_at >= $2::timestamptz)
  )::int as count`;
