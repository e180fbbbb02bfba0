import "server-only";
import { z } from "zod";
import { AuditReport } from "@/lib/lines/reputation/reputation-audit";
import { COOL_DOWN_SECONDS } from "@/lib/lines/reputation/request-audit";
import type { Context } from "@/lib/platform/context";
import { prisma } from "@/lib/platform/database/db";

const SHOWN = 30;

/** An audit in the history of its line. */
export const ListedAudit = z.object({
  audit_id: z.uuid(),
  status: z.enum(["pending", "complete", "error"]),
  created_at: z.iso.datetime(),
  severity: AuditReport.shape.severity.nullable(),
  primary_driver: AuditReport.shape.primary_driver.nullable(),
});

/** Returns a line's last 30 audits, newest first, and the time from which another can be requested (null = now). */
export async function listLineAudits(
  ctx: Context,
  lineId: string,
): Promise<{ audits: z.infer<typeof ListedAudit>[]; audit_free_at: string | null }> {
  const rows = await prisma().reputationAudit.findMany({
    where: { accountId: ctx.account.id, lineId },
    orderBy: { id: "desc" },
    take: SHOWN,
  });
  const audits = rows.map((row) => {
    const report = row.report === null ? null : AuditReport.parse(row.report);
    return {
      audit_id: row.id,
      status: row.status,
      created_at: row.createdAt.toISOString(),
      severity: report?.severity ?? null,
      primary_driver: report?.primary_driver ?? null,
    };
  });
  // Failed audits do not count.
  const last = rows.find(({ status }) => status === "complete");
  const freeAt = (last?.createdAt.getTime() ?? 0) + COOL_DOWN_SECONDS * 1000;
  return { audits, audit_free_at: freeAt > ctx.now.getTime() ? new Date(freeAt).toISOString() : null };
}
