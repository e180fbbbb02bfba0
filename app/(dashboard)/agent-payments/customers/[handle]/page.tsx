import { notFound } from "next/navigation";
import { CustomerView } from "@/components/agent-payments/customer-view";
import { listAgentPayments } from "@/lib/payments/agent-payments/list-agent-payments";
import { ShowCustomer, showCustomer } from "@/lib/payments/agent-payments/show-customer";
import { requireAccount } from "@/lib/runtime/dashboard/current-session";

export const metadata = { title: "Connected customer" };

const SHOWN = 50;

type CustomerPageProps = { params: Promise<{ handle: string }> };

export default async function CustomerPage({ params }: CustomerPageProps) {
  const { account, ctx, may } = await requireAccount("view_payments");
  const asked = ShowCustomer.params.safeParse({ handle: decodeURIComponent((await params).handle) });
  if (!asked.success) notFound();
  const { handle } = asked.data;
  const [customer, payments] = await Promise.all([
    showCustomer(ctx, { params: asked.data }),
    listAgentPayments(ctx, { query: { handle, status: [], limit: SHOWN } }),
  ]);
  if (customer.connections.length === 0 && payments.payments.length === 0) notFound();
  return (
    <CustomerView
      key={`${account.id} ${handle}`}
      initial={customer}
      payments={payments}
      mayManage={may("manage_payments")}
      mayResetPasskeys={may("manage_spending")}
    />
  );
}
