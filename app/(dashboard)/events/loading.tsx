import { ListPage } from "@/components/list/list-page";
import { Skeleton } from "@/components/ui/skeleton";

export default function Loading() {
  return (
    <ListPage title="Events">
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
    </ListPage>
  );
}
