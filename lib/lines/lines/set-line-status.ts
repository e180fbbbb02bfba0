import "server-only";
import { emitEvents, newEvent } from "@/lib/events/store/emit-event";
import { recordAudit } from "@/lib/identity/audit/record-audit";
import { toReputation } from "@/lib/lines/lines/line";
import { LINE_EVENTS } from "@/lib/lines/lines/line-events";
import type { Context } from "@/lib/platform/context";
import { type Sql, transaction } from "@/lib/platform/database/db";
import { plannedStatement, type RowOf, statement } from "@/lib/platform/database/statement";
import { fail } from "@/lib/platform/errors/errors";
import type { FlaggedBy, HealthStatus, LineStatus } from "@/lib/platform/prisma/enums";

/** Hours during which a line whose flag a user cleared is not flagged again for its reputation. */
const AUTO_FLAG_PAUSE_HOURS = 24;

/** The status of a line that is locked for a change. */
export type LineStatusRow = RowOf<"lock-line-status">;

/**
 * Flags a line, so that its writes fail with 2027, or clears its flag (docs/contract.md, section 11.2). Emits
 * phone_number.status_updated. A line that already has the status does not change. Errors: line_not_found (no such line
 * of the account, or the line was released).
 */
export async function setLineStatus(
  ctx: Context,
  lineId: string,
  status: LineStatus,
  by: FlaggedBy = "operator",
): Promise<void> {
  await transaction(async (tx) => {
    const before = (await lockLineStatus(tx, ctx, lineId)) ?? fail("line_not_found");
    if (before.status === status) return;
    await changeLineStatus(tx, ctx, { lineId, before, status, reputation: before.reputation, by });
  });
}

const LOCK_LINE_STATUS = plannedStatement(
  "lock-line-status",
  `select phone_number, status, reputation, flagged_by, auto_flag_paused_until from lines
  where account_id = :accountId and id = :lineId and released_at is null for no key update`,
);

/** Locks a line for a change of its status. Returns null when the account has no such line, or has released the line. */
export async function lockLineStatus(tx: Sql, ctx: Context, lineId: string): Promise<LineStatusRow | null> {
  const [line] = await tx.run(LOCK_LINE_STATUS, { accountId: ctx.account.id, lineId });
  return line ?? null;
}

export interface LineStatusChange {
  lineId: string;
  before: LineStatusRow;
  status: LineStatus;
  reputation: HealthStatus;
  by: FlaggedBy;
}

const CHANGE_LINE_STATUS = statement(
  "change-line-status",
  `update lines set status = :status::text::line_status, reputation = :reputation::text::health_status,
    flagged_by = case when :status = 'ACTIVE' then null when status = 'FLAGGED' then flagged_by
      else :by::text::flagged_by end,
    flagged_at = case when :status = 'ACTIVE' then null when status = 'FLAGGED' then flagged_at else :now end,
    auto_flag_paused_until = case when :status = 'FLAGGED' then null
      when status = 'FLAGGED' and :by <> 'reputation' then :now::timestamptz + interval '${AUTO_FLAG_PAUSE_HOURS} hours'
      else auto_flag_paused_until end
  where account_id = :accountId and id = :lineId`,
);

/** Stores a line's new status, its audit entry and its event. The caller holds the lock on the line. */
export async function changeLineStatus(tx: Sql, ctx: Context, change: LineStatusChange): Promise<void> {
  const { lineId, before, status, reputation, by } = change;
  await tx.run(CHANGE_LINE_STATUS, {
    accountId: ctx.account.id,
    lineId,
    status,
    reputation,
    by,
    now: ctx.now,
  });
  if (before.status !== status) {
    await recordAudit(tx, ctx, "line.status_changed", "line", lineId, {
      from: before.status,
      to: status,
      by,
    });
  }
  await emitStatusUpdated(tx, ctx, change);
}

async function emitStatusUpdated(
  tx: Sql,
  { account, traceId, now }: Context,
  { lineId, before, status, reputation }: LineStatusChange,
): Promise<void> {
  const about = { accountId: account.id, lineId, chatId: null, messageId: null, traceId, at: now };
  const data = {
    phone_number: before.phone_number,
    previous: { status: before.status, reputation: toReputation(before.reputation) },
    current: { status, reputation: toReputation(reputation) },
    changed_at: now.toISOString(),
  };
  await emitEvents(tx, [newEvent(LINE_EVENTS["phone_number.status_updated"], about, data)]);
}
