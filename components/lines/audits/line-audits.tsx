"use client";

import { ShieldCheck } from "lucide-react";
import { EmptyState } from "@/components/data/empty-state";
import { AuditComparisonView } from "@/components/lines/audits/audit-comparison";
import { AuditHistory } from "@/components/lines/audits/audit-history";
import { AuditReportView } from "@/components/lines/audits/audit-report";
import { CompareSelect } from "@/components/lines/audits/compare-select";
import { RunAudit } from "@/components/lines/audits/run-audit";
import { useLine } from "@/components/lines/use-line";
import type { LineDetails } from "@/lib/lines/overview/get-line-view";

type LineAuditsProps = {
  initial: LineDetails;
  mayManage: boolean;
  /** The audit named in the URL; without one, the newest is shown. */
  chosen: string | undefined;
  /** The audit that the chosen one is compared with. */
  comparedWith: string | undefined;
};

/** A line's reputation audits: run an audit, read its report, browse earlier ones. */
export function LineAudits({ initial, mayManage, chosen, comparedWith }: LineAuditsProps) {
  const { data: line } = useLine(initial);
  const shown = line.audits.find(({ audit_id }) => audit_id === chosen) ?? line.audits[0];
  const other = line.audits.find(({ audit_id }) => audit_id === comparedWith);
  const pair = [shown, other].flatMap((audit) => (audit?.severity == null ? [] : audit));
  const [earlier, later] = pair.toSorted((one, two) => one.created_at.localeCompare(two.created_at));
  return (
    <div className="flex min-w-0 flex-col gap-6">
      {mayManage && <RunAudit line={line} />}
      {shown === undefined ? (
        <EmptyState
          icon={ShieldCheck}
          title="No audits yet"
          description={
            mayManage
              ? "An audit lists the risk factors of this line, the chats behind them and recommended actions. Run one above."
              : "An audit lists the risk factors of this line, the chats behind them and recommended actions. Ask an admin or a developer to run one."
          }
          className="rounded-xl border bg-card shadow-xs"
        />
      ) : (
        <div className="grid min-w-0 items-start gap-6 lg:grid-cols-[1fr_18rem]">
          <div className="flex min-w-0 flex-col gap-6">
            <CompareSelect line={line} shown={shown} comparedWith={other?.audit_id} />
            {earlier && later && <AuditComparisonView line={line} earlier={earlier} later={later} />}
            <AuditReportView key={shown.audit_id} line={line} audit={shown} />
          </div>
          <AuditHistory line={line} current={shown.audit_id} />
        </div>
      )}
    </div>
  );
}
