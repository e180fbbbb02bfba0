import { PageHeader } from "@/components/data/page-header";
import { PageBody } from "@/components/shell/page-body";
import { Skeleton } from "@/components/ui/skeleton";

export default function Loading() {
  return (
    <PageBody role="status" aria-label="Loading the request">
      <PageHeader title="Request" breadcrumbs={[{ label: "Requests", href: "/requests" }]} />
      <Skeleton className="h-24 w-full rounded-xl" />
      <div className="grid gap-6 lg:grid-cols-2">
        <Skeleton className="h-72 w-full rounded-lg" />
        <Skeleton className="h-72 w-full rounded-lg" />
      </div>
    </PageBody>
  );
}
