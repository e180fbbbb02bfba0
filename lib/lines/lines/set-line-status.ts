import "server-only";
import { emitEvents, newEvent } from "@/lib/events/store/emit-event";
import { recordAudit } from "@/lib/identity/audit/record-audit";
import { toReputation } from "@/lib/lines/lines/line";
import { LINE_EVENTS } from "@/lib/lines/lines/line-events";
import type { Context } from "@/lib/platform/context";
import { type Sql, transaction } from "@/lib/platform/database/db";
import { fail } from "@/lib/platform/errors/errors";
import type { FlaggedBy, HealthStatus, LineStatus } from "@/lib/platform/prisma/enums";

/** Hours during which a line whose flag a user cleared is not flagged again for its reputation. */
const AUTO_FLAG_PAUSE_HOURS = 24;

/** The status of a line that is locked for a change. */
export interface LineStatusRow {
  phone_number: string;
  status: LineStatus;
  reputation: HealthStatus;
  flagged_by: FlaggedBy | null;
  auto_flag_paused_until: Date | null;
}

/**
 * Flags a line, so that its writes fail with 2027, or clears its flag (contract.md 0). Emits
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

/** Locks a line for a change of its status. Returns null when the account has no such line, or has released the line. */
export async function lockLineStatus(tx: Sql, ctx: Context, lineId: string): Promise<LineStatusRow | null> {
  const [line] = await tx.query<LineStatusRow>({
    text: `select phone_number, status, reputation, flagged_by, auto_flag_paused_until from lines
           where account_id = $1 and id = $2 and released_at is null for no key update`,
    values: [ctx.account.id, lineId],
  });
  return line ?? null;
}

export interface LineStatusChange {
  lineId: string;
  before: LineStatusRow;
  status: LineStatus;
  reputation: HealthStatus;
  by: FlaggedBy;
}

/** Stores a line's new status, its audit entry and its event. The caller holds the lock on the line. */
export async function changeLineStatus(tx: Sql, ctx: Context, change: LineStatusChange): Promise<void> {
  const { lineId, before, status, reputation, by } = change;
  await tx.query({
    name: "change-line-status",
    text: `update lines set status = $3::text::line_status, reputation = $4::text::health_status,
             flagged_by = case when $3 = 'ACTIVE' then null when status = 'FLAGGED' then flagged_by
               else $5::text::flagged_by end,
             flagged_at = case when $3 = 'ACTIVE' then null when status = 'FLAGGED' then flagged_at else $6 end,
             auto_flag_paused_until = case when $3 = 'FLAGGED' then null
               when status = 'FLAGGED' and $5 <> 'reputation' then $6::timestamptz + interval '${AUTO_FLAG_PAUSE_HOURS} hours'
               else auto_flag_paused_until end
           where account_id = $1 and id = $2`,
    values: [ctx.account.id, lineId, status, reputation, by, ctx.now],
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
