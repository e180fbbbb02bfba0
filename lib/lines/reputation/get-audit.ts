import "server-only";
import { z } from "zod";
import { findLineByNumber } from "@/lib/lines/reputation/find-line-by-number";
import { AuditReport, PathNumber, ReputationAudit } from "@/lib/lines/reputation/reputation-audit";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { prisma } from "@/lib/platform/database/db";
import { fail } from "@/lib/platform/errors/errors";

export const GetAudit = contract({
  summary: "Get a reputation audit",
  description: "Returns a reputation audit of a line. The report is present once `status` is `complete`.",
  tag: "Phone lines",
  right: "view_lines",
  params: z.object({
    phoneNumber: PathNumber.describe("Your line, in E.164 format."),
    auditId: z.uuid().describe("ID of the audit."),
  }),
  returns: ReputationAudit,
  status: 200,
  errors: ["access_denied", "phone_not_e164", "line_not_found", "audit_not_found"],
});

/**
 * Returns an audit, with its report once it is complete (docs/contract.md, section 11.3). Errors: audit_not_found,
 * line_not_found.
 */
export async function getAudit(ctx: Context, { params }: Pick<Input<typeof GetAudit>, "params">) {
  const line = await findLineByNumber(ctx, params.phoneNumber);
  const audit = await prisma().reputationAudit.findFirst({
    where: { accountId: ctx.account.id, lineId: line.id, id: params.auditId },
  });
  if (audit === null) return fail("audit_not_found", "this line has no audit with this ID");
  return {
    audit_id: audit.id,
    status: audit.status,
    phone: line.phoneNumber,
    generated_at: audit.generatedAt?.toISOString() ?? null,
    error: audit.error,
    report: audit.report === null ? null : AuditReport.parse(audit.report),
  };
}
