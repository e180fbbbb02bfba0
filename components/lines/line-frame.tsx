"use client";

import type { ReactNode } from "react";
import { CopyableId } from "@/components/data/copyable-id";
import { FailureNote } from "@/components/data/failure-note";
import { PageHeader } from "@/components/data/page-header";
import { PageTabs } from "@/components/data/page-tabs";
import { StatusBadge } from "@/components/data/status-badge";
import { FlagLine } from "@/components/lines/flag-line";
import { LineState } from "@/components/lines/line-state";
import { LineWarning } from "@/components/lines/line-warning";
import { useLine } from "@/components/lines/use-line";
import { PageBody } from "@/components/shell/page-body";
import type { LineDetails } from "@/lib/lines/lines/get-line-details";

export type LineFrameProps = {
  initial: LineDetails;
  mayManage: boolean;
  mayFlag: boolean;
  current: "overview" | "audits";
  children: ReactNode;
};

/** What all pages of one line have: how it stands and why, and the way between them. */
export function LineFrame({ initial, mayFlag, current, children }: LineFrameProps) {
  const { data: line, error, refetch } = useLine(initial);
  return (
    <PageBody>
      <PageHeader
        title={line.phone_number}
        breadcrumbs={[{ label: "Lines", href: "/lines" }]}
        status={
          <span className="flex flex-wrap gap-1.5">
            <StatusBadge kind="service" value={line.line_type} />
            <LineState line={line} />
          </span>
        }
        description={
          <span className="flex flex-wrap items-center gap-x-4 gap-y-1 text-xs">
            <CopyableId value={line.id} label="line id" />
            <span>Carried by {line.transport}</span>
          </span>
        }
        actions={mayFlag && <FlagLine line={line} />}
      />
      <FailureNote title="This page may be out of date" failure={error} onRetry={() => void refetch()} />
      <LineWarning line={line} mayFlag={mayFlag} />
      <PageTabs
        label="Line"
        current={current}
        tabs={[
          { id: "overview", label: "Overview", href: `/lines/${line.id}` },
          { id: "audits", label: "Audits", href: `/lines/${line.id}/audits` },
        ]}
      />
      {children}
    </PageBody>
  );
}
