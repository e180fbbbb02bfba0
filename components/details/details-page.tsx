import type { ComponentProps, ReactNode } from "react";
import { FailureNote } from "@/components/data/failure-note";
import { PageHeader } from "@/components/data/page-header";
import { PageBody } from "@/components/shell/page-body";
import type { ApiFailure } from "@/lib/client/api-fetch";

type DetailsPageProps = ComponentProps<typeof PageHeader> & {
  /** Why the page could not be read again; absent or null while it is up to date. */
  failure?: ApiFailure | null;
  onRetry?: () => void;
  /** What the user should know or decide first. */
  notice?: ReactNode;
  tabs?: ReactNode;
  /** Takes the whole width, for a page with a list. */
  isWide?: boolean;
  children: ReactNode;
};

/** The page of one thing: header with status and actions, what is wrong with it, tabs, and its sections. */
export function DetailsPage({
  failure = null,
  onRetry,
  notice,
  tabs,
  isWide,
  children,
  ...header
}: DetailsPageProps) {
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
