"use client";

import { useQuery } from "@tanstack/react-query";
import { ErrorNote } from "@/components/data/error-note";
import { FailureNote } from "@/components/data/failure-note";
import { MarkdownText } from "@/components/data/markdown-text";
import { Timestamp } from "@/components/data/timestamp";
import { AuditEvidence } from "@/components/lines/audit-evidence";
import { AuditFindings } from "@/components/lines/audit-findings";
import { AuditOutcome } from "@/components/lines/audit-history";
import { lineKey } from "@/components/lines/lines-key";
import { Card, CardContent, CardHeader, CardTitle } from "@/components/ui/card";
import { Skeleton } from "@/components/ui/skeleton";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";
import type { LineDetails } from "@/lib/lines/lines/get-line-details";
import type { AuditReport } from "@/lib/lines/reputation/reputation-audit";

type AuditReportViewProps = { line: LineDetails; audit: LineDetails["audits"][number] };

type ReadAudit = { report: AuditReport | null; error: string | null };

/** An audit's report: risk factors, recommended actions and the chats behind them. */
export function AuditReportView({ line, audit }: AuditReportViewProps) {
  const path = `/api/phone-numbers/${encodeURIComponent(line.phone_number)}/reputation-audits/${audit.audit_id}`;
  const read = useQuery<ReadAudit, ApiFailure>({
    queryKey: [...lineKey(line.id), "audit", audit.audit_id, audit.status],
    queryFn: ({ signal }) => apiFetch(path, { signal }),
    enabled: audit.status !== "pending",
    staleTime: Number.POSITIVE_INFINITY,
  });
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
          <AuditEvidence evidence={report.evidence} />
          <Card>
            <CardHeader>
              <CardTitle>Summary</CardTitle>
            </CardHeader>
            <CardContent>
              <MarkdownText text={report.summary_markdown} />
            </CardContent>
          </Card>
        </>
      )}
    </article>
  );
}
