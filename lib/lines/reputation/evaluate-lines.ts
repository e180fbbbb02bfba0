import "server-only";
import { changeLineStatus, type LineStatusRow, lockLineStatus } from "@/lib/lines/lines/set-line-status";
import { type ChatCounts, chatCountsSql, lineReputation } from "@/lib/lines/reputation/line-reputation";
import type { AccountRef, Context } from "@/lib/platform/context";
import { type Sql, sql, transaction } from "@/lib/platform/database/db";
import { newTraceId } from "@/lib/platform/ids";
import type { LineStatus } from "@/lib/platform/prisma/enums";
import { log } from "@/lib/platform/telemetry/log";
import { now } from "@/lib/platform/time/clock";

interface DueLine {
  id: string;
  account_id: string;
  partner_id: string;
  type: AccountRef["type"];
}

/**
 * Evaluates the reputation of each line whose chats have changed: flags a line with too many unhealthy chats, and
 * clears a flag that only the reputation had set (contract.md 0). Ends early once `stop` is aborted. Returns the number
 * of lines evaluated.
 */
export async function evaluateLines(stop: AbortSignal): Promise<number> {
  const due = await sql.query<DueLine>({
    name: "lines-to-evaluate",
    text: `select l.id, l.account_id, a.partner_id, a.type::text as type
           from lines l join accounts a on a.id = l.account_id
           where l.pinned_reputation is null and l.released_at is null and exists (
             select from chats c where c.account_id = l.account_id and c.line_id = l.id
               and c.health_updated_at >= coalesce(l.evaluated_at, '-infinity'))`,
  });
  let evaluated = 0;
  for (const line of due) {
    if (stop.aborted) break;
    if (await tryToEvaluate(line)) evaluated++;
  }
  return evaluated;
}

// A line that fails must not block the others. The next round retries it.
async function tryToEvaluate(line: DueLine): Promise<boolean> {
  try {
    await transaction((tx) => evaluateLine(tx, line));
    return true;
  } catch (error) {
    log.error({ err: error, lineId: line.id }, "a line was not evaluated");
    return false;
  }
}

async function evaluateLine(tx: Sql, line: DueLine): Promise<void> {
  const account = { id: line.account_id, partnerId: line.partner_id, type: line.type };
  const ctx: Context = { account, actor: { type: "system" }, traceId: newTraceId(), now: now() };
  const before = await lockLineStatus(tx, ctx, line.id);
  if (before === null) return;
  const [counts] = await tx.query<ChatCounts>({
    name: "count-line-chats",
    text: chatCountsSql(),
    values: [line.account_id, line.id],
  });
  if (counts === undefined) throw new Error("a count answered no row");

  const { reputation, isToFlag } = lineReputation(counts);
  const status = statusAfter(before, isToFlag, ctx.now);
  if (status !== before.status || reputation !== before.reputation) {
    await changeLineStatus(tx, ctx, { lineId: line.id, before, status, reputation, by: "reputation" });
  }
  await tx.query({
    text: "update lines set evaluated_at = $3, chat_counts = $4 where account_id = $1 and id = $2",
    values: [line.account_id, line.id, ctx.now, JSON.stringify(counts)],
  });
}

function statusAfter(before: LineStatusRow, isToFlag: boolean, at: Date): LineStatus {
  if (before.status === "FLAGGED") {
    return before.flagged_by === "reputation" && !isToFlag ? "ACTIVE" : "FLAGGED";
  }
  const isAutoFlagPaused = before.auto_flag_paused_until !== null && before.auto_flag_paused_until > at;
  return isToFlag && !isAutoFlagPaused ? "FLAGGED" : "ACTIVE";
}
