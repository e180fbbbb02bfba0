import { AgentTabs } from "@/components/agent-payments/agent-tabs";
import { CustomerList } from "@/components/agent-payments/customer-list";
import { ListPage } from "@/components/list/list-page";

export default function Loading() {
  return (
    <ListPage title="Connected customers" tabs={<AgentTabs current="customers" />}>
      <CustomerList />
    </ListPage>
  );
}
