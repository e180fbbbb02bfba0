import { PageHeader } from "@/components/data/page-header";
import { PageBody } from "@/components/shell/page-body";
import { Skeleton } from "@/components/ui/skeleton";

export default function Loading() {
  return (
    <PageBody role="status" aria-label="Loading contact cards">
      <PageHeader title="Contact cards" description={<Skeleton className="h-10 w-xl max-w-full" />} />
      <Skeleton className="h-56 w-full rounded-xl" />
    </PageBody>
  );
}
