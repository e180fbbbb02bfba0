import "server-only";
import { z } from "zod";
import { CHAT_COUNTS_SQL, type ChatCounts } from "@/lib/lines/reputation/line-reputation";
import type { Context } from "@/lib/platform/context";
import { sql } from "@/lib/platform/db";

/**
 * The number of a line's chats by health. On lines with very many chats, only the most recently active ones count, as
 * for reputation.
 */
export const ChatTally = z.object({
  healthy: z.int(),
  at_risk: z.int(),
  critical: z.int(),
  opted_out: z.int(),
});
type ChatTally = z.infer<typeof ChatTally>;

export const NO_CHATS: ChatTally = { healthy: 0, at_risk: 0, critical: 0, opted_out: 0 };

/** Counts the chats by health for each of the account's lines, or for one, in one statement. */
export async function readChatTallies(
  ctx: Context,
  lineId: string | null = null,
): Promise<Map<string, ChatTally>> {
  const rows = await sql.query<ChatCounts & { line_id: string }>({
    name: "tally-line-chats",
    text: `select l.id as line_id, counts.* from lines l
           cross join lateral (${CHAT_COUNTS_SQL.replaceAll("$2", "l.id")}) counts
           where l.account_id = $1 and l.released_at is null and ($2::uuid is null or l.id = $2)`,
    values: [ctx.account.id, lineId],
  });
  return new Map(rows.map((row) => [row.line_id, toTally(row)]));
}

function toTally({ chats, atRisk, critical, optedOut }: ChatCounts): ChatTally {
  return { healthy: chats - atRisk - critical - optedOut, at_risk: atRisk, critical, opted_out: optedOut };
}
