import { PageHeader } from "@/components/data/page-header";
import { RequestTabs } from "@/components/requests/request-tabs";
import { PageBody } from "@/components/shell/page-body";
import { Skeleton } from "@/components/ui/skeleton";

export default function Loading() {
  return (
    <PageBody className="max-w-none" role="status" aria-label="Loading errors">
      <PageHeader title="Errors" description={<Skeleton className="mt-1 h-4 w-96 max-w-full" />} />
      <RequestTabs current="errors" />
      <Skeleton className="h-9 w-96 max-w-full rounded-lg" />
      <div className="flex flex-col gap-3">
        <Skeleton className="h-44 w-full rounded-xl" />
        <Skeleton className="h-44 w-full rounded-xl" />
      </div>
    </PageBody>
  );
}
