import { AgentPaymentList } from "@/components/agent-payments/agent-payment-list";
import { AgentTabs } from "@/components/agent-payments/agent-tabs";
import { ListPage } from "@/components/list/list-page";

export default function Loading() {
  return (
    <ListPage title="Agent payments" tabs={<AgentTabs current="payments" />}>
      <AgentPaymentList />
    </ListPage>
  );
}
