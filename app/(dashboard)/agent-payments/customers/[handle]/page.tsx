import { notFound } from "next/navigation";
import { CustomerView } from "@/components/agent-payments/customer-view";
import { ListAgentPayments, listAgentPayments } from "@/lib/payments/agent-payments/list-agent-payments";
import { ShowCustomer, showCustomer } from "@/lib/payments/agent-payments/show-customer";
import { requireAccount } from "@/lib/runtime/dashboard/current-session";
import { loadSearch } from "@/lib/runtime/dashboard/load-search";

export const metadata = { title: "Connected customer" };

type CustomerPageProps = { params: Promise<{ handle: string }> };

export default async function CustomerPage({ params }: CustomerPageProps) {
  const { account, ctx, may } = await requireAccount("view_payments");
  const asked = ShowCustomer.params.safeParse({ handle: decodeURIComponent((await params).handle) });
  if (!asked.success) notFound();
  const { handle } = asked.data;
  const [customer, found] = await Promise.all([
    showCustomer(ctx, { params: asked.data }),
    loadSearch(
      ctx,
      { handle },
      {
        api: "/api/agent-payments",
        query: ListAgentPayments.query,
        filters: [{ type: "tab", name: "handle" }],
        search: (query) => listAgentPayments(ctx, { query }),
      },
    ),
  ]);
  if (customer.connections.length === 0 && found.page?.payments.length === 0) notFound();
  return (
    <CustomerView
      key={`${account.id} ${handle}`}
      initial={customer}
      found={found}
      mayManage={may("manage_payments")}
      mayResetPasskeys={may("manage_spending")}
    />
  );
}
