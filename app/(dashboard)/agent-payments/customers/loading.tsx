import { AgentTabs } from "@/components/agent-payments/agent-tabs";
import { CustomerTable } from "@/components/agent-payments/customer-table";
import { PageHeader } from "@/components/data/page-header";
import { PageBody } from "@/components/shell/page-body";
import { Skeleton } from "@/components/ui/skeleton";

export default function Loading() {
  return (
    <PageBody className="max-w-none" role="status" aria-label="Loading the connected customers">
      <PageHeader
        title="Connected customers"
        description={<Skeleton className="mt-1 h-4 w-96 max-w-full" />}
      />
      <AgentTabs current="customers" />
      <CustomerTable connections={[]} loadingRows={8} />
    </PageBody>
  );
}
