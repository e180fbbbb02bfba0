import { recordOptions } from "@/components/data/record-badge";
import { ListPage } from "@/components/list/list-page";
import { CreatePayment } from "@/components/payments/create-payment";
import { PaymentList } from "@/components/payments/payment-list";
import { PaymentTabs } from "@/components/payments/payment-tabs";
import type { Filter, SearchParams } from "@/lib/client/filters";
import { OFFERED_CURRENCIES } from "@/lib/payments/checkout/offered-currencies";
import {
  ListPaymentRequestViews,
  listPaymentRequestViews,
  totalPaymentRequests,
} from "@/lib/payments/requests/list-payment-request-views";
import { requireAccount } from "@/lib/runtime/dashboard/current-session";
import { loadSearch } from "@/lib/runtime/dashboard/load-search";

export const metadata = { title: "Payment requests" };

const STATUSES = recordOptions("payment", ["requested", "succeeded", "canceled", "expired"]);

function filtersOf(currencies: string[]): Filter[] {
  return [
    {
      type: "search",
      name: "q",
      label: "Search by description, payment request ID or processor ID",
      placeholder: "Description, request, customer or payment ID",
    },
    { type: "select", name: "status", label: "Status", all: "All statuses", options: STATUSES },
    {
      type: "select",
      name: "currency",
      label: "Currency",
      all: "All currencies",
      options: currencies.map((code) => ({ value: code, label: code.toUpperCase() })),
    },
    { type: "time", label: "Created" },
  ];
}

export default async function PaymentsPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const { ctx, may } = await requireAccount("view_payments");
  const all = await totalPaymentRequests(ctx, { query: {} });
  const loaded = await loadSearch(ctx, await searchParams, {
    api: "/api/payment-requests",
    query: ListPaymentRequestViews.query,
    filters: filtersOf(all.totals.map(({ currency }) => currency)),
    search: async (query) => {
      const [page, { totals }] = await Promise.all([
        listPaymentRequestViews(ctx, { query }),
        totalPaymentRequests(ctx, { query }),
      ]);
      return { ...page, totals };
    },
  });
  const mayCreate = may("request_payments");

  return (
    <ListPage
      title="Payment requests"
      description="Payment links for your customers. The money goes to your own account at the card processor."
      actions={mayCreate && <CreatePayment currencies={OFFERED_CURRENCIES} isAddressed />}
      tabs={<PaymentTabs current="requests" />}
    >
      <PaymentList
        found={loaded}
        totals={loaded.page?.totals}
        create={mayCreate && <CreatePayment currencies={OFFERED_CURRENCIES} />}
        mayCancel={mayCreate}
        maySend={may("send_messages")}
      />
    </ListPage>
  );
}
