"use client";

import { ErrorNote } from "@/components/data/error-note";
import { FailureNote } from "@/components/data/failure-note";
import { Timestamp } from "@/components/data/time/timestamp";
import { AuditEvidence } from "@/components/lines/audits/audit-evidence";
import { AuditFindings } from "@/components/lines/audits/audit-findings";
import { AuditOutcome } from "@/components/lines/audits/audit-history";
import { useAudit } from "@/components/lines/audits/use-audit";
import { Skeleton } from "@/components/ui/skeleton";
import type { LineDetails } from "@/lib/lines/overview/get-line-view";

type AuditReportViewProps = { line: LineDetails; audit: LineDetails["audits"][number] };

/** An audit's report: risk factors, recommended actions and the chats behind them. */
export function AuditReportView({ line, audit }: AuditReportViewProps) {
  const read = useAudit(line, audit);
  const report = read.data?.report;
  return (
    <article aria-label="Report" className="flex min-w-0 flex-col gap-6">
      <div className="flex flex-wrap items-center gap-2">
        <AuditOutcome audit={audit} />
        <span className="text-muted-foreground text-sm">
          <Timestamp value={audit.created_at} />
        </span>
      </div>
      <FailureNote
        title="The report could not be loaded"
        failure={read.error}
        onRetry={() => void read.refetch()}
      />
      {read.data?.error && (
        <ErrorNote title="The audit failed">
          Run the audit again. A failed audit doesn't count toward the hourly limit.
        </ErrorNote>
      )}
      {(audit.status === "pending" || read.isLoading) && <Skeleton className="h-72 w-full rounded-xl" />}
      {report && (
        <>
          <AuditFindings report={report} />
          <AuditEvidence evidence={report.evidence} chats={read.data?.chats ?? []} />
        </>
      )}
    </article>
  );
}
