import { AgentPaymentList } from "@/components/agent-payments/agent-payment-list";
import { PageHeader } from "@/components/data/page-header";
import { PageBody } from "@/components/shell/page-body";
import { Skeleton } from "@/components/ui/skeleton";

export default function Loading() {
  return (
    <PageBody className="max-w-none" role="status" aria-label="Loading the customer">
      <PageHeader
        title="Connected customer"
        breadcrumbs={[
          { label: "Agent payments", href: "/agent-payments" },
          { label: "Connected customers", href: "/agent-payments/customers" },
        ]}
        description={<Skeleton className="mt-1 h-4 w-96 max-w-full" />}
      />
      <Skeleton className="h-32 max-w-4xl rounded-xl" />
      <AgentPaymentList />
    </PageBody>
  );
}
