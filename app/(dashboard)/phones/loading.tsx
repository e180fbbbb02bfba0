import { PageHeader } from "@/components/data/page-header";
import { PageBody } from "@/components/shell/page-body";
import { Skeleton } from "@/components/ui/skeleton";

export default function Loading() {
  return (
    <PageBody className="max-w-none sm:px-8">
      <PageHeader
        title="Phones"
        description="The simulated phones of this sandbox. Write as a person and see what your customers see."
      />
      <div className="flex flex-wrap gap-6">
        <Skeleton className="h-164 w-full rounded-[2.75rem] sm:w-76" />
        <Skeleton className="hidden h-164 w-76 rounded-[2.75rem] lg:block" />
      </div>
    </PageBody>
  );
}
