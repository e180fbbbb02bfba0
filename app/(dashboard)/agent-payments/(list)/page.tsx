import { AgentPaymentList } from "@/components/agent-payments/agent-payment-list";
import { AgentTabs } from "@/components/agent-payments/agent-tabs";
import { recordOptions } from "@/components/data/record-badge";
import { ListPage } from "@/components/list/list-page";
import type { Filter, SearchParams } from "@/lib/client/filters";
import { ListPaymentViews, listPaymentViews } from "@/lib/payments/agent-payments/list-payment-views";
import { totalPayments } from "@/lib/payments/agent-payments/total-payments";
import { requireAccount } from "@/lib/runtime/dashboard/current-session";
import { loadSearch } from "@/lib/runtime/dashboard/load-search";

export const metadata = { title: "Agent payments" };

const FILTERS: Filter[] = [
  { type: "text", name: "handle", label: "Customer", placeholder: "Number or email" },
  {
    type: "select",
    name: "status",
    label: "Status",
    all: "All statuses",
    options: recordOptions("agentPayment"),
  },
];

export default async function AgentPaymentsPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const { ctx } = await requireAccount("view_payments");
  const loaded = await loadSearch(ctx, await searchParams, {
    api: "/api/agent-payments",
    query: ListPaymentViews.query,
    filters: FILTERS,
    search: async (query) => {
      const [page, { totals }] = await Promise.all([
        listPaymentViews(ctx, { query }),
        totalPayments(ctx, { query }),
      ]);
      return { ...page, totals };
    },
  });
  return (
    <ListPage
      title="Agent payments"
      description="Payments that your agents make for customers. Each payment uses its own card."
      tabs={<AgentTabs current="payments" />}
    >
      <AgentPaymentList found={loaded} totals={loaded.page?.totals} />
    </ListPage>
  );
}
