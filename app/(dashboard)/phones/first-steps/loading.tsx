import { PageHeader } from "@/components/data/page-header";
import { PageBody } from "@/components/shell/page-body";
import { Skeleton } from "@/components/ui/skeleton";

export default function Loading() {
  return (
    <PageBody className="max-w-7xl">
      <PageHeader title="First message" breadcrumbs={[{ label: "Phones", href: "/phones" }]} />
      <div className="flex flex-col gap-8 lg:flex-row">
        <Skeleton className="h-164 w-full rounded-[2.75rem] sm:w-76" />
        <Skeleton className="h-96 flex-1 rounded-xl" />
      </div>
    </PageBody>
  );
}
