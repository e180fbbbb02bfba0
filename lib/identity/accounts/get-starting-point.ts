import "server-only";
import type { Context } from "@/lib/platform/context";
import { sql } from "@/lib/platform/database/db";
import { baseUrl } from "@/lib/platform/env";

/** The values that the dashboard's snippets need for a first message. */
export interface StartingPoint {
  baseUrl: string;
  /** A line to send from; null when the account has none. */
  line: string | null;
  /** A handle that can be messaged; null when none is known. */
  phone: string | null;
}

/** Finds a line and a recipient for the account's first message: a simulated phone if there is one. */
export async function getStartingPoint(ctx: Context): Promise<StartingPoint> {
  const [row] = await sql.query<{ line: string | null; phone: string | null }>({
    name: "starting-point",
    text: `with line as (
        select id, phone_number from lines
        where account_id = $1 and released_at is null order by line_type, created_at, id limit 1
      )
      select (select phone_number from line) as line, coalesce(
        (select c.handle from line_contacts c join simulator_phones p
            on p.account_id = c.account_id and p.handle = c.handle
          where c.account_id = $1 and c.line_id = (select id from line)
          order by c.first_inbound_at, c.handle limit 1),
        (select handle from line_contacts where account_id = $1 and line_id = (select id from line)
          order by last_inbound_at desc limit 1)
      ) as phone`,
    values: [ctx.account.id],
  });
  return { baseUrl: baseUrl(), line: row?.line ?? null, phone: row?.phone ?? null };
}
