import { PageBody } from "@/components/shell/page-body";
import { Skeleton } from "@/components/ui/skeleton";

export default function Loading() {
  return (
    <PageBody role="status" aria-label="Loading the page">
      <div className="flex flex-col gap-2.5">
        <Skeleton className="h-6 w-40" />
        <Skeleton className="h-4 w-full max-w-96" />
      </div>
      <Skeleton className="h-20 w-full rounded-xl" />
      <Skeleton className="h-80 w-full rounded-xl" />
    </PageBody>
  );
}
