import { AgentTabs } from "@/components/agent-payments/agent-tabs";
import { CustomersView } from "@/components/agent-payments/customers-view";
import { PageHeader } from "@/components/data/page-header";
import { PageBody } from "@/components/shell/page-body";
import { listHandleConnections } from "@/lib/agent-payments/list-handle-connections";
import { requireAccount } from "@/lib/dashboard/current-session";
import { roleHasRight } from "@/lib/users/role-rights";

export const metadata = { title: "Connected customers" };

const SHOWN = 50;

export default async function CustomersPage() {
  const { account, ctx } = await requireAccount();
  const initial = await listHandleConnections(ctx, { query: { limit: SHOWN } });
  return (
    <PageBody className="max-w-none">
      <PageHeader
        title="Connected customers"
        description="Customers who let your agents pay for them, and those who are being asked."
      />
      <AgentTabs current="customers" />
      <CustomersView
        key={`${account.id} ${initial.connections.map(({ handle, updated_at }) => handle + updated_at).join()}`}
        initial={initial}
        mayManage={roleHasRight(account.role, "manage_payments")}
      />
    </PageBody>
  );
}
