import { PageHeader } from "@/components/data/page-header";
import { PageBody } from "@/components/shell/page-body";
import { Skeleton } from "@/components/ui/skeleton";

export default function Loading() {
  return (
    <PageBody role="status" aria-label="Loading the payment request">
      <PageHeader
        title="Payment request"
        breadcrumbs={[{ label: "Payment requests", href: "/payments" }]}
        description={<Skeleton className="mt-1 h-4 w-72 max-w-full" />}
      />
      <Skeleton className="h-20 rounded-xl" />
      <div className="grid gap-6 lg:grid-cols-[1fr_20rem]">
        <Skeleton className="h-64 rounded-xl" />
        <Skeleton className="h-64 rounded-xl" />
      </div>
    </PageBody>
  );
}
