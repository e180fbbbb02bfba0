import { PageHeader } from "@/components/data/page-header";
import { PageBody } from "@/components/shell/page-body";
import { Skeleton } from "@/components/ui/skeleton";

export default function Loading() {
  return (
    <PageBody role="status" aria-label="Loading the blocked handles">
      <PageHeader title="Blocked handles" description={<Skeleton className="mt-1 h-4 w-96 max-w-full" />} />
      <Skeleton className="h-9 w-104 max-w-full" />
      <Skeleton className="h-72 w-full rounded-xl" />
    </PageBody>
  );
}
