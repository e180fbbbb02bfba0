import "server-only";
import type { Context } from "@/lib/platform/context";
import { sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { baseUrl } from "@/lib/platform/env";

/** The values that the dashboard's snippets need for a first message. */
export interface StartingPoint {
  baseUrl: string;
  /** A line to send from; null when the account has none. */
  line: string | null;
  /** A handle that can be messaged; null when none is known. */
  phone: string | null;
}

const STARTING_POINT = statement(
  "starting-point",
  `with line as (
    select id, phone_number from lines
    where account_id = :accountId and released_at is null order by line_type, created_at, id limit 1
  )
  select (select phone_number from line) as line, coalesce(
    (select c.handle from line_contacts c join simulator_phones p
        on p.account_id = c.account_id and p.handle = c.handle
      where c.account_id = :accountId and c.line_id = (select id from line)
      order by c.first_inbound_at, c.handle limit 1),
    (select handle from line_contacts where account_id = :accountId and line_id = (select id from line)
      order by last_inbound_at desc limit 1)
  ) as phone`,
);

/** Finds a line and a recipient for the account's first message: a simulated phone if there is one. */
export async function getStartingPoint(ctx: Context): Promise<StartingPoint> {
  const [row] = await sql.run(STARTING_POINT, { accountId: ctx.account.id });
  return { baseUrl: baseUrl(), line: row?.line ?? null, phone: row?.phone ?? null };
}
