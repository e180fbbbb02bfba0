import { AgentTabs } from "@/components/agent-payments/agent-tabs";
import { CustomersView } from "@/components/agent-payments/customers-view";
import { ErrorNote } from "@/components/data/error-note";
import { PageHeader } from "@/components/data/page-header";
import { PageBody } from "@/components/shell/page-body";
import {
  ListHandleConnections,
  listHandleConnections,
} from "@/lib/payments/agent-payments/list-handle-connections";
import { requireAccount } from "@/lib/runtime/dashboard/current-session";

export const metadata = { title: "Connected customers" };

type CustomersPageProps = { searchParams: Promise<Record<string, string | string[] | undefined>> };

export default async function CustomersPage({ searchParams }: CustomersPageProps) {
  const { account, ctx, may } = await requireAccount("view_payments");
  const { status, handle } = await searchParams;
  const filter = {
    ...(typeof status === "string" && status !== "" && { status }),
    ...(typeof handle === "string" && handle !== "" && { handle }),
  };
  const query = ListHandleConnections.query.safeParse(filter);
  return (
    <PageBody className="max-w-none">
      <PageHeader
        title="Connected customers"
        description="Customers who let your agents pay for them, and those who are being asked."
      />
      <AgentTabs current="customers" />
      {query.success ? (
        <CustomersView
          key={`${account.id} ${JSON.stringify(filter)}`}
          initial={await listHandleConnections(ctx, { query: query.data })}
          filter={filter}
          mayManage={may("manage_payments")}
        />
      ) : (
        <ErrorNote title="This search is not possible">
          {query.error.issues[0]?.message}. A customer is searched by the whole number, as +15550100101.
        </ErrorNote>
      )}
    </PageBody>
  );
}
