import Link from "next/link";
import { RecordBadge } from "@/components/data/record-badge";
import { StatusBadge } from "@/components/data/status-badge";
import { Timestamp } from "@/components/data/time/timestamp";
import { DRIVER_NAMES } from "@/components/lines/audits/describe-driver";
import { cn } from "@/lib/cn";
import type { LineDetails } from "@/lib/lines/overview/get-line-view";

type Audit = LineDetails["audits"][number];

/** A line's audits, newest first. Each opens its report. */
export function AuditHistory({ line, current }: { line: LineDetails; current: string }) {
  return (
    <nav aria-label="Audits" className="min-w-0 overflow-hidden rounded-xl border bg-card shadow-xs">
      <h2 className="border-b px-4 py-3 font-medium text-sm">History</h2>
      <ol className="divide-y">
        {line.audits.map((audit) => (
          <li key={audit.audit_id}>
            <Link
              href={`/lines/${line.id}/audits?audit=${audit.audit_id}`}
              scroll={false}
              aria-current={audit.audit_id === current ? "true" : undefined}
              className={cn(
                "flex flex-col gap-1 px-4 py-2.5 hover:bg-muted/70 focus-visible:-outline-offset-2",
                audit.audit_id === current && "bg-muted",
              )}
            >
              <span className="flex items-center justify-between gap-2">
                <AuditOutcome audit={audit} />
                <Timestamp value={audit.created_at} interactive={false} className="text-xs" />
              </span>
              {audit.primary_driver && (
                <span className="text-muted-foreground text-xs">{DRIVER_NAMES[audit.primary_driver]}</span>
              )}
            </Link>
          </li>
        ))}
      </ol>
    </nav>
  );
}

/** An audit's severity; its status while it has none. */
export function AuditOutcome({ audit }: { audit: Pick<Audit, "status" | "severity"> }) {
  if (audit.severity !== null) return <StatusBadge kind="health" value={audit.severity} />;
  return <RecordBadge kind="audit" value={audit.status} />;
}
