"use client";

import { ShieldCheck } from "lucide-react";
import { EmptyState } from "@/components/data/empty-state";
import { AuditHistory } from "@/components/lines/audit-history";
import { AuditReportView } from "@/components/lines/audit-report";
import { RunAudit } from "@/components/lines/run-audit";
import { useLine } from "@/components/lines/use-line";
import type { LineDetails } from "@/lib/lines/lines/get-line-details";

type LineAuditsProps = {
  initial: LineDetails;
  mayManage: boolean;
  /** The audit the address names, or none: then the newest is shown. */
  chosen: string | undefined;
};

/** A line's reputation audits: run one, read its report, look back. */
export function LineAudits({ initial, mayManage, chosen }: LineAuditsProps) {
  const { data: line } = useLine(initial);
  const shown = line.audits.find(({ audit_id }) => audit_id === chosen) ?? line.audits[0];
  return (
    <div className="flex min-w-0 flex-col gap-6">
      {mayManage && <RunAudit line={line} />}
      {shown === undefined ? (
        <EmptyState
          icon={ShieldCheck}
          title="No audit yet"
          description={
            mayManage
              ? "Run one: it says what weighs on the line, with its evidence, and what to do about it."
              : "An admin or a developer can run one: it says what weighs on the line and what to do about it."
          }
          className="rounded-xl border bg-card shadow-xs"
        />
      ) : (
        <div className="grid min-w-0 items-start gap-6 lg:grid-cols-[1fr_18rem]">
          <AuditReportView key={shown.audit_id} line={line} audit={shown} />
          <AuditHistory line={line} current={shown.audit_id} />
        </div>
      )}
    </div>
  );
}
