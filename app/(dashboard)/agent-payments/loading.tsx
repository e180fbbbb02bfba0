import { AgentPaymentTable } from "@/components/agent-payments/agent-payment-table";
import { AgentTabs } from "@/components/agent-payments/agent-tabs";
import { PageHeader } from "@/components/data/page-header";
import { PageBody } from "@/components/shell/page-body";
import { Skeleton } from "@/components/ui/skeleton";

export default function Loading() {
  return (
    <PageBody className="max-w-none" role="status" aria-label="Loading the agent payments">
      <PageHeader title="Agent payments" description={<Skeleton className="mt-1 h-4 w-96 max-w-full" />} />
      <AgentTabs current="payments" />
      <AgentPaymentTable payments={[]} loadingRows={8} />
    </PageBody>
  );
}
