import { PageHeader } from "@/components/data/page-header";
import { PageBody } from "@/components/shell/page-body";
import { Skeleton } from "@/components/ui/skeleton";

export default function Loading() {
  return (
    <PageBody role="status" aria-label="Loading the agent payment">
      <PageHeader
        title="Agent payment"
        breadcrumbs={[{ label: "Agent payments", href: "/agent-payments" }]}
        description={<Skeleton className="mt-1 h-4 w-72 max-w-full" />}
      />
      <Skeleton className="h-24 rounded-xl" />
      <div className="grid gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <Skeleton className="h-48 rounded-xl" />
        <Skeleton className="h-32 rounded-xl" />
      </div>
    </PageBody>
  );
}
