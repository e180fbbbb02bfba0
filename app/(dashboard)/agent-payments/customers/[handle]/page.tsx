import { notFound } from "next/navigation";
import { ConnectedCustomerScreen } from "@/components/agent-payments/connected-customer-screen";
import {
  GetHandleConnectionView,
  getHandleConnectionView,
} from "@/lib/payments/agent-payments/get-handle-connection-view";
import { ListPaymentViews, listPaymentViews } from "@/lib/payments/agent-payments/list-payment-views";
import { groupedNumber } from "@/lib/platform/text/phone-formats";
import { requireAccount } from "@/lib/runtime/dashboard/current-session";
import { loadSearch } from "@/lib/runtime/dashboard/load-search";

type CustomerPageProps = { params: Promise<{ handle: string }> };

export async function generateMetadata({ params }: CustomerPageProps) {
  const handle = decodeURIComponent((await params).handle);
  return { title: `${groupedNumber(handle)} · Connected customer` };
}

export default async function CustomerPage({ params }: CustomerPageProps) {
  const { account, ctx, may } = await requireAccount("view_payments");
  const asked = GetHandleConnectionView.params.safeParse({
    handle: decodeURIComponent((await params).handle),
  });
  if (!asked.success) notFound();
  const { handle } = asked.data;
  const [customer, found] = await Promise.all([
    getHandleConnectionView(ctx, { params: asked.data }),
    loadSearch(
      ctx,
      { handle },
      {
        api: "/api/agent-payments",
        query: ListPaymentViews.query,
        filters: [{ type: "tab", name: "handle" }],
        search: (query) => listPaymentViews(ctx, { query }),
      },
    ),
  ]);
  if (customer.connections.length === 0 && found.page?.payments.length === 0) notFound();
  return (
    <ConnectedCustomerScreen
      key={`${account.id} ${handle}`}
      initial={customer}
      found={found}
      mayManage={may("manage_payments")}
      mayResetPasskeys={may("manage_spending")}
    />
  );
}
