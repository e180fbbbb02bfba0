import "server-only";
import { sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { timeOfId } from "@/lib/platform/ids";

const FIND_NEWEST_MESSAGE = statement(
  "find-newest-message",
  "select id from messages where account_id = :accountId order by id desc limit 1",
);

/** The time of an account's newest message, in milliseconds since 1970; 0 without one. */
export async function findNewestMessage(accountId: string): Promise<number> {
  const [row] = await sql.run(FIND_NEWEST_MESSAGE, { accountId });
  return row === undefined ? 0 : timeOfId(row.id);
}
