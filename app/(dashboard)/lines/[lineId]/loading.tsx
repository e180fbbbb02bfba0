import { PageHeader } from "@/components/data/page-header";
import { PageBody } from "@/components/shell/page-body";
import { Skeleton } from "@/components/ui/skeleton";

export default function Loading() {
  return (
    <PageBody role="status" aria-label="Loading the line">
      <PageHeader
        title="Line"
        breadcrumbs={[{ label: "Lines", href: "/lines" }]}
        description={<Skeleton className="mt-1 h-5 w-72 max-w-full" />}
      />
      <Skeleton className="h-40 w-full rounded-xl" />
      <div className="grid gap-6 lg:grid-cols-2">
        <Skeleton className="h-64 w-full rounded-xl" />
        <Skeleton className="h-64 w-full rounded-xl" />
      </div>
    </PageBody>
  );
}
