import type { ReactNode } from "react";
import { PageHeader } from "@/components/data/page-header";
import { PageBody } from "@/components/shell/page-body";
import { Skeleton } from "@/components/ui/skeleton";

type DetailsLoadingProps = {
  title: string;
  breadcrumbs: { label: string; href: string }[];
  /** Shown instead of the two columns, for pages with a list. */
  children?: ReactNode;
};

/** The skeleton of a details page: header, properties and two columns. */
export function DetailsLoading({ title, breadcrumbs, children }: DetailsLoadingProps) {
  return (
    <PageBody className={children ? "max-w-none" : undefined} role="status" aria-label={`Loading: ${title}`}>
      <PageHeader
        title={title}
        breadcrumbs={breadcrumbs}
        description={<Skeleton className="mt-1 h-4 w-72 max-w-full" />}
      />
      <Skeleton className="h-24 w-full rounded-xl" />
      {children ?? (
        <div className="grid gap-6 lg:grid-cols-2">
          <Skeleton className="h-72 w-full rounded-xl" />
          <Skeleton className="h-72 w-full rounded-xl" />
        </div>
      )}
    </PageBody>
  );
}
