import "server-only";
import { z } from "zod";
import { recordAudit } from "@/lib/identity/audit/record-audit";
import { findLineByNumber } from "@/lib/lines/reputation/find-line-by-number";
import { PathNumber } from "@/lib/lines/reputation/reputation-audit";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { type Sql, transaction } from "@/lib/platform/database/db";
import { plannedStatement } from "@/lib/platform/database/statement";
import { fail, failRateLimited } from "@/lib/platform/errors/errors";
import { newId } from "@/lib/platform/ids";

/** Minimum time between two audits of a line. */
export const COOL_DOWN_SECONDS = 3600;

export const RequestAudit = contract({
  summary: "Request a reputation audit of a line",
  description:
    "Starts a reputation audit of a line. One audit runs per line at a time; a second request fails with 2015. Audits of a line are at least one hour apart; an earlier request fails with 1007.",
  tag: "Phone lines",
  right: "manage_lines",
  params: z.object({ phoneNumber: PathNumber.describe("Your line, in E.164 format.") }),
  returns: z.object({
    audit_id: z.uuid().describe("ID of the audit. Use it to get the report."),
    status: z.literal("pending").describe("Always `pending`."),
  }),
  status: 202,
  errors: ["access_denied", "phone_not_e164", "line_not_found", "state_conflict", "rate_limited"],
});

const REQUEST_AUDIT = plannedStatement(
  "request-audit",
  "insert into reputation_audits (account_id, id, line_id, created_at) values (:accountId, :id, :lineId, :now)",
);

/**
 * Requests an audit of a line's reputation, also while the line is flagged. The report follows shortly
 * (docs/contract.md, section 11.3). Errors: line_not_found; state_conflict while an audit is running; rate_limited
 * within an hour of the last; access_denied.
 */
export async function requestAudit(ctx: Context, { params }: Pick<Input<typeof RequestAudit>, "params">) {
  const line = await findLineByNumber(ctx, params.phoneNumber);

  const id = newId(ctx.now.getTime());
  await transaction(async (tx) => {
    await refuseEarly(tx, ctx, line.id);
    await tx.run(REQUEST_AUDIT, { accountId: ctx.account.id, id, lineId: line.id, now: ctx.now });
    await recordAudit(tx, ctx, "reputation_audit.requested", "line", line.id, { audit_id: id });
    tx.wake("audits");
  });

  return { audit_id: id, status: "pending" as const };
}

const LOCK_LINE_TO_AUDIT = plannedStatement(
  "lock-line-to-audit",
  "select from lines where account_id = :accountId and id = :lineId for no key update",
);

const FIND_LAST_AUDIT = plannedStatement(
  "find-last-audit",
  `select status, created_at from reputation_audits
  where account_id = :accountId and line_id = :lineId and status <> 'error' order by id desc limit 1`,
);

// The line's row is locked, so that the second of two concurrent requests sees the first.
async function refuseEarly(tx: Sql, ctx: Context, lineId: string): Promise<void> {
  await tx.run(LOCK_LINE_TO_AUDIT, { accountId: ctx.account.id, lineId });
  const [last] = await tx.run(FIND_LAST_AUDIT, { accountId: ctx.account.id, lineId });
  if (last === undefined) return;
  if (last.status === "pending")
    fail("state_conflict", "an audit of this line is already running: wait for its report");
  const freeAt = last.created_at.getTime() + COOL_DOWN_SECONDS * 1000;
  if (freeAt > ctx.now.getTime()) failRateLimited(Math.ceil((freeAt - ctx.now.getTime()) / 1000));
}
