import "server-only";
import { z } from "zod";
import type { DayVolume } from "@/lib/lines/overview/line-volume";
import { DAILY_MESSAGES_ADVISED, NEW_CHATS_ADVISED } from "@/lib/lines/reputation/advised-limits";
import type { Context } from "@/lib/platform/context";
import { sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";

const Use = z.object({ used: z.int(), limit: z.int() });

const DAY_MS = 86_400_000;

/** How much of a day's limits is used. The day is in UTC. */
export const LineCapacity = z.object({
  /** Inbound and outbound messages of the line, and the recommended maximum. */
  messages: Use,
  /** Chats that the line started, and the recommended maximum. */
  new_chats: Use,
  /** Messages of all lines of the account, and the limit from which sends fail; null = no limit. */
  account_messages: Use.nullable(),
  resets_at: z.iso.datetime(),
});
type LineCapacity = z.infer<typeof LineCapacity>;

const ACCOUNT_CAPACITY = statement(
  "account-capacity",
  `select coalesce(d.messages, 0) as used, a.daily_messages as "limit"
  from accounts a left join account_days d
    on d.account_id = :accountId and d.day = (:now::timestamptz at time zone 'UTC')::date
  where a.id = :accountId and a.daily_messages is not null`,
);

/** The capacity of a line today. `today` is the line's volume of the day. */
export async function readLineCapacity(ctx: Context, today: DayVolume): Promise<LineCapacity> {
  const [row] = await sql.run(ACCOUNT_CAPACITY, { accountId: ctx.account.id, now: ctx.now });
  return {
    messages: { used: today.sent + today.received, limit: DAILY_MESSAGES_ADVISED },
    new_chats: { used: today.new_chats, limit: NEW_CHATS_ADVISED },
    account_messages: row ?? null,
    resets_at: new Date((Math.floor(ctx.now.getTime() / DAY_MS) + 1) * DAY_MS).toISOString(),
  };
}
