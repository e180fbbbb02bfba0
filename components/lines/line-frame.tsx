"use client";

import type { ReactNode } from "react";
import { CopyableId } from "@/components/data/copyable-id";
import { PageTabs } from "@/components/data/page-tabs";
import { StatusBadge } from "@/components/data/status-badge";
import { DetailsPage } from "@/components/details/details-page";
import { FlagLine } from "@/components/lines/flag-line";
import { LineState } from "@/components/lines/line-state";
import { LineWarning } from "@/components/lines/line-warning";
import { useLine } from "@/components/lines/use-line";
import type { LineDetails } from "@/lib/lines/lines/get-line-details";

export type LineFrameProps = {
  initial: LineDetails;
  mayManage: boolean;
  mayFlag: boolean;
  current: "overview" | "audits";
  children: ReactNode;
};

/** The frame of a line's pages: status, warnings and tabs. */
export function LineFrame({ initial, mayFlag, current, children }: LineFrameProps) {
  const { data: line, error, refetch } = useLine(initial);
  return (
    <DetailsPage
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
          <span>Transport: {line.transport}</span>
        </span>
      }
      actions={mayFlag && <FlagLine line={line} />}
      failure={error}
      onRetry={() => void refetch()}
      notice={<LineWarning line={line} mayFlag={mayFlag} />}
      tabs={
        <PageTabs
          label="Line"
          current={current}
          tabs={[
            { id: "overview", label: "Overview", href: `/lines/${line.id}` },
            { id: "audits", label: "Audits", href: `/lines/${line.id}/audits` },
          ]}
        />
      }
    >
      {children}
    </DetailsPage>
  );
}
