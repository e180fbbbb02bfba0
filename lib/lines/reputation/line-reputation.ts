import "server-only";
import { statement } from "@/lib/platform/database/statement";
import type { CountedHealth } from "@/lib/recipients/health/chat-health";

/** The number of a line's chats in each health status. */
export interface ChatCounts {
  chats: number;
  atRisk: number;
  critical: number;
  optedOut: number;
}

const CHATS_LEAST = 20;
const FLAGGED_FROM_PERCENT = 30;
const AT_RISK_FROM_PERCENT = 15;

/**
 * Computes a line's reputation from its chats, and whether the line must be flagged: when at least 30% of 20 or more
 * chats are CRITICAL or OPTED_OUT (docs/contract.md, section 11.2). Half of that share, or 30% including AT_RISK chats,
 * makes it AT_RISK.
 */
export function lineReputation(counts: ChatCounts): { reputation: CountedHealth; isToFlag: boolean } {
  const { chats, atRisk, critical, optedOut } = counts;
  if (chats < CHATS_LEAST) return { reputation: "HEALTHY", isToFlag: false };
  const isShare = (bad: number, percent: number) => bad * 100 >= chats * percent;
  if (isShare(critical + optedOut, FLAGGED_FROM_PERCENT)) return { reputation: "CRITICAL", isToFlag: true };

  const isAtRisk =
    isShare(critical + optedOut, AT_RISK_FROM_PERCENT) ||
    isShare(critical + optedOut + atRisk, FLAGGED_FROM_PERCENT);
  return { reputation: isAtRisk ? "AT_RISK" : "HEALTHY", isToFlag: false };
}

/** Number of chats that a line's reputation covers: the most recently active ones. */
const RATED_CHATS = 10_000;

/**
 * SQL for the ChatCounts of a line of `:accountId`: of the chats that meet `ofLine`, as many as the reputation covers.
 */
export function chatCountsSql(ofLine = "line_id = :lineId"): string {
  return `select count(*)::int as chats,
      count(*) filter (where health_status = 'AT_RISK')::int as "atRisk",
      count(*) filter (where health_status = 'CRITICAL')::int as critical,
      count(*) filter (where health_status = 'OPTED_OUT')::int as "optedOut"
    from (
      select health_status from chats where account_id = :accountId and ${ofLine} and left_at is null
      order by last_activity_at desc, id desc limit ${RATED_CHATS}
    ) rated`;
}

/** Counts the chats of a line by health. */
export const COUNT_LINE_CHATS = statement("count-line-chats", chatCountsSql());
