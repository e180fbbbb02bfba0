"use client";

import type { ReactNode } from "react";
import { CopyableId } from "@/components/data/copy/copyable-id";
import { PageTabs } from "@/components/data/page-tabs";
import { StatusBadge } from "@/components/data/status-badge";
import { DetailsPage } from "@/components/details/details-page";
import { FlagLineButton } from "@/components/lines/flag-line-button";
import { LineState } from "@/components/lines/line-state";
import { LineWarning } from "@/components/lines/line-warning";
import type { MoveTarget } from "@/components/lines/move-line";
import { MoveLineButton } from "@/components/lines/move-line-button";
import { ReleaseLine } from "@/components/lines/release-line";
import { useLine } from "@/components/lines/use-line";
import { lineText } from "@/lib/client/line-text";
import type { LineDetails } from "@/lib/lines/overview/get-line-view";

export type LineFrameProps = {
  initial: LineDetails;
  mayManage: boolean;
  mayFlag: boolean;
  mayRelease: boolean;
  /** The accounts that the line can move to; empty when the user may not move lines. */
  moveTargets: MoveTarget[];
  mayConnect: boolean;
  current: "overview" | "contact-card" | "audits" | "transport";
  children: ReactNode;
};

/** The frame of a line's pages: status, warnings and tabs. */
export function LineFrame(props: LineFrameProps) {
  const { initial, mayFlag, mayRelease, moveTargets, mayConnect, current, children } = props;
  const { data: line, error, refetch } = useLine(initial);
  return (
    <DetailsPage
      title={lineText(line)}
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
      actions={
        <>
          {mayFlag && <FlagLineButton line={line} />}
          {moveTargets.length > 0 && <MoveLineButton line={line} targets={moveTargets} />}
          {mayRelease && <ReleaseLine line={line} />}
        </>
      }
      failure={error}
      onRetry={() => void refetch()}
      notice={<LineWarning line={line} mayFlag={mayFlag} />}
      tabs={
        <PageTabs
          label="Line"
          current={current}
          tabs={[
            { id: "overview", label: "Overview", href: `/lines/${line.id}` },
            { id: "contact-card", label: "Contact card", href: `/lines/${line.id}/contact-card` },
            { id: "audits", label: "Audits", href: `/lines/${line.id}/audits` },
            ...(mayConnect
              ? [{ id: "transport", label: "Transport", href: `/lines/${line.id}/transport` }]
              : []),
          ]}
        />
      }
    >
      {children}
    </DetailsPage>
  );
}
