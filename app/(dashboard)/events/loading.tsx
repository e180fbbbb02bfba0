import { PageHeader } from "@/components/data/page-header";
import { PageBody } from "@/components/shell/page-body";
import { Skeleton } from "@/components/ui/skeleton";

export default function Loading() {
  return (
    <PageBody className="max-w-none" role="status" aria-label="Loading events">
      <PageHeader title="Events" description={<Skeleton className="mt-1 h-4 w-96 max-w-full" />} />
      <Skeleton className="h-7.5 w-64" />
      <div className="divide-y overflow-hidden rounded-xl border bg-card shadow-xs">
        {Array.from({ length: 12 }, (_, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity
          <div key={index} className="flex gap-3 px-4 py-2.5">
            <Skeleton className="h-4 w-16" />
            <Skeleton className="h-4 w-36" />
            <Skeleton className="h-4 flex-1" />
          </div>
        ))}
      </div>
    </PageBody>
  );
}
