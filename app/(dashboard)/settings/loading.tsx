import { PageHeader } from "@/components/data/page-header";
import { PageBody } from "@/components/shell/page-body";
import { Skeleton } from "@/components/ui/skeleton";

export default function Loading() {
  return (
    <PageBody role="status" aria-label="Loading the settings">
      <PageHeader
        title="Account settings"
        description="This account's options and audit log, the people of the partner, and your own password and sessions."
      />
      <Skeleton className="h-9 w-full rounded-md" />
      <div className="grid gap-6 lg:grid-cols-2">
        <Skeleton className="h-96 w-full rounded-xl" />
        <Skeleton className="h-72 w-full rounded-xl" />
      </div>
    </PageBody>
  );
}
