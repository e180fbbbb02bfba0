import { PageHeader } from "@/components/data/page-header";
import { PageBody } from "@/components/shell/page-body";
import { Skeleton } from "@/components/ui/skeleton";

export default function Loading() {
  return (
    <PageBody role="status" aria-label="Loading the lines">
      <PageHeader
        title="Lines"
        description="The numbers messages are sent from. A line's reputation comes from the health of its chats."
      />
      <Skeleton className="h-7.5 w-full max-w-xl rounded-md" />
      <Skeleton className="h-56 w-full rounded-xl" />
    </PageBody>
  );
}
