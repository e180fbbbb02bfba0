import { PageHeader } from "@/components/data/page-header";
import { PageBody } from "@/components/shell/page-body";
import { Skeleton } from "@/components/ui/skeleton";

export default function Loading() {
  return (
    <PageBody role="status" aria-label="Loading the endpoint">
      <PageHeader
        title="Webhook endpoint"
        breadcrumbs={[{ label: "Webhooks", href: "/webhooks" }]}
        description={<Skeleton className="mt-1 h-9 w-96 max-w-full" />}
      />
      <Skeleton className="h-16 w-full rounded-xl" />
      <Skeleton className="h-56 w-full rounded-xl" />
    </PageBody>
  );
}
