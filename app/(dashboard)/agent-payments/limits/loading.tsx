import { AgentTabs } from "@/components/agent-payments/agent-tabs";
import { PageHeader } from "@/components/data/page-header";
import { PageBody } from "@/components/shell/page-body";
import { Skeleton } from "@/components/ui/skeleton";

export default function Loading() {
  return (
    <PageBody role="status" aria-label="Loading the limits">
      <PageHeader title="Limits" description={<Skeleton className="mt-1 h-4 w-80 max-w-full" />} />
      <AgentTabs current="limits" />
      <Skeleton className="h-96 max-w-3xl rounded-xl" />
    </PageBody>
  );
}
