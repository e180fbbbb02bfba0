import { PageHeader } from "@/components/data/page-header";
import { RequestTable } from "@/components/requests/request-table";
import { RequestTabs } from "@/components/requests/request-tabs";
import { PageBody } from "@/components/shell/page-body";
import { Skeleton } from "@/components/ui/skeleton";

export default function Loading() {
  return (
    <PageBody className="max-w-none" role="status" aria-label="Loading the requests">
      <PageHeader title="Requests" description={<Skeleton className="mt-1 h-4 w-96 max-w-full" />} />
      <RequestTabs current="requests" />
      <div className="flex flex-col gap-2">
        <Skeleton className="h-8.5 w-104 max-w-full" />
        <Skeleton className="h-7.5 w-full max-w-3xl max-sm:hidden" />
      </div>
      <RequestTable requests={[]} loadingRows={12} />
    </PageBody>
  );
}
