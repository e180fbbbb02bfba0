import type { ReactNode } from "react";
import { PageHeader } from "@/components/data/page-header";
import { PageBody } from "@/components/shell/page-body";
import { Skeleton } from "@/components/ui/skeleton";

type ListPageProps = {
  title: string;
  /** undefined while the page is loading, which shows a skeleton. */
  description?: ReactNode;
  /** A badge beside the title. */
  status?: ReactNode;
  actions?: ReactNode;
  tabs?: ReactNode;
  /** The list. */
  children: ReactNode;
};

/** The layout of a list page, also used while loading. */
export function ListPage({ title, description, status, actions, tabs, children }: ListPageProps) {
  const isLoading = description === undefined;
  const region = isLoading ? { role: "status", "aria-label": `Loading: ${title}` } : {};
  return (
    <PageBody className="max-w-none" {...region}>
      <PageHeader
        title={title}
        description={description ?? <Skeleton className="mt-1 h-4 w-96 max-w-full" />}
        status={status}
        actions={actions}
      />
      {tabs}
      {children}
    </PageBody>
  );
}
