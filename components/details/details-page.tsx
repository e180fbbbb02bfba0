"use client";

import { type ComponentProps, type ReactNode, useContext } from "react";
import { FailureNote } from "@/components/data/failure-note";
import { PageHeader } from "@/components/data/page-header";
import { PanelLayout } from "@/components/details/panel-context";
import { PageBody } from "@/components/shell/page-body";
import type { ApiFailure } from "@/lib/client/api-fetch";

type DetailsPageProps = ComponentProps<typeof PageHeader> & {
  /** The error of the last refetch; absent or null while the page is up to date. */
  failure?: ApiFailure | null;
  onRetry?: () => void;
  /** A notice at the top, such as a warning or a pending decision. */
  notice?: ReactNode;
  tabs?: ReactNode;
  /** Uses the full width, for pages with a list. */
  isWide?: boolean;
  children: ReactNode;
};

/**
 * The layout of a details page: header with status and actions, notices, tabs and sections. In a side panel, the content of
 * the panel.
 */
export function DetailsPage({
  failure = null,
  onRetry,
  notice,
  tabs,
  isWide,
  children,
  ...header
}: DetailsPageProps) {
  const Panel = useContext(PanelLayout);
  if (Panel !== null) {
    const { title, description, status, actions } = header;
    return (
      <Panel {...{ title, description, status, actions, failure, onRetry }}>
        {notice}
        {children}
      </Panel>
    );
  }
  return (
    <PageBody className={isWide ? "max-w-none" : undefined}>
      <PageHeader {...header} />
      <FailureNote title="This page may be out of date" failure={failure} onRetry={onRetry} />
      {notice}
      {tabs}
      {children}
    </PageBody>
  );
}
