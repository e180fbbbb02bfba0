import "server-only";
import { z } from "zod";
import { type ChatCounts, chatCountsSql } from "@/lib/lines/reputation/line-reputation";
import type { Context } from "@/lib/platform/context";
import { sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";

/** Lines with more chats show the counts of the last evaluation of their reputation, which is at most a minute old. */
const MAX_COUNTED = 1000;

// As a range, because the planner expects few rows of a range. It expects all of the account's chats of the line, so it
// would read all of them for each line of an account whose chats are mostly on one line.
const OF_LINE = chatCountsSql("line_id >= l.id and line_id <= l.id");

const TALLY_LINE_CHATS = statement(
  "tally-line-chats",
  `select l.id as line_id, case when (l.chat_counts->>'chats')::int > ${MAX_COUNTED} then l.chat_counts
    else (select to_json(counts) from (${OF_LINE}) counts) end as "counts!: ChatCounts"
  from lines l
  where l.account_id = :accountId and l.released_at is null and (:lineId::uuid is null or l.id = :lineId)`,
);

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

/**
 * The chats by health of each of the account's lines, or of one, in one statement: counted, or on lines with more than
 * 1,000 chats as of the last evaluation.
 */
export async function readChatTallies(
  ctx: Context,
  lineId: string | null = null,
): Promise<Map<string, ChatTally>> {
  const rows = await sql.run(TALLY_LINE_CHATS, { accountId: ctx.account.id, lineId });
  return new Map(rows.map((row) => [row.line_id, toTally(row.counts)]));
}

function toTally({ chats, atRisk, critical, optedOut }: ChatCounts): ChatTally {
  return { healthy: chats - atRisk - critical - optedOut, at_risk: atRisk, critical, opted_out: optedOut };
}
