import "server-only";
import { changeLineStatus, type LineStatusRow, lockLineStatus } from "@/lib/lines/lines/set-line-status";
import { COUNT_LINE_CHATS, lineReputation } from "@/lib/lines/reputation/line-reputation";
import type { Context } from "@/lib/platform/context";
import { type Sql, sql, transaction } from "@/lib/platform/database/db";
import { plannedStatement, type RowOf, statement } from "@/lib/platform/database/statement";
import { newTraceId } from "@/lib/platform/ids";
import type { LineStatus } from "@/lib/platform/prisma/enums";
import { log } from "@/lib/platform/telemetry/log";
import { now } from "@/lib/platform/time/clock";

type DueLine = RowOf<"lines-to-evaluate">;

const LINES_TO_EVALUATE = statement(
  "lines-to-evaluate",
  `select l.id, l.account_id, a.partner_id, a.type
  from lines l join accounts a on a.id = l.account_id
  where l.pinned_reputation is null and l.released_at is null and exists (
    select from chats c where c.account_id = l.account_id and c.line_id = l.id
      and c.health_updated_at >= coalesce(l.evaluated_at, '-infinity'))`,
);

/**
 * Evaluates the reputation of each line whose chats have changed: flags a line with too many unhealthy chats, and
 * clears a flag that only the reputation had set (docs/contract.md, section 11.2). Ends early once `stop` is aborted.
 * Returns the number of lines evaluated.
 */
export async function evaluateLines(stop: AbortSignal): Promise<number> {
  const due = await sql.run(LINES_TO_EVALUATE);
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

const RECORD_LINE_EVALUATION = plannedStatement(
  "record-line-evaluation",
  "update lines set evaluated_at = :now, chat_counts = :counts where account_id = :accountId and id = :lineId",
);

async function evaluateLine(tx: Sql, line: DueLine): Promise<void> {
  const account = { id: line.account_id, partnerId: line.partner_id, type: line.type };
  const ctx: Context = { account, actor: { type: "system" }, traceId: newTraceId(), now: now() };
  const before = await lockLineStatus(tx, ctx, line.id);
  if (before === null) return;
  const [counts] = await tx.run(COUNT_LINE_CHATS, { accountId: line.account_id, lineId: line.id });
  if (counts === undefined) throw new Error("a count answered no row");

  const { reputation, isToFlag } = lineReputation(counts);
  const status = statusAfter(before, isToFlag, ctx.now);
  if (status !== before.status || reputation !== before.reputation) {
    await changeLineStatus(tx, ctx, { lineId: line.id, before, status, reputation, by: "reputation" });
  }
  await tx.run(RECORD_LINE_EVALUATION, {
    accountId: line.account_id,
    lineId: line.id,
    now: ctx.now,
    counts: JSON.stringify(counts),
  });
}

function statusAfter(before: LineStatusRow, isToFlag: boolean, at: Date): LineStatus {
  if (before.status === "FLAGGED") {
    return before.flagged_by === "reputation" && !isToFlag ? "ACTIVE" : "FLAGGED";
  }
  const isAutoFlagPaused = before.auto_flag_paused_until !== null && before.auto_flag_paused_until > at;
  return isToFlag && !isAutoFlagPaused ? "FLAGGED" : "ACTIVE";
}
