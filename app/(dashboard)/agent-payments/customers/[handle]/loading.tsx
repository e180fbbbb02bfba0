import { AgentPaymentList } from "@/components/agent-payments/agent-payment-list";
import { DetailsLoading } from "@/components/details/details-loading";

export default function Loading() {
  return (
    <DetailsLoading
      title="Connected customer"
      breadcrumbs={[
        { label: "Agent payments", href: "/agent-payments" },
        { label: "Connected customers", href: "/agent-payments/customers" },
      ]}
    >
      <AgentPaymentList />
    </DetailsLoading>
  );
}
