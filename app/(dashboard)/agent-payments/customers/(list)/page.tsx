import { AgentTabs } from "@/components/agent-payments/agent-tabs";
import { CustomerList } from "@/components/agent-payments/customer-list";
import { recordOptions } from "@/components/data/record-badge";
import { ListPage } from "@/components/list/list-page";
import type { Filter, SearchParams } from "@/lib/client/filters";
import {
  ListHandleConnectionViews,
  listHandleConnectionViews,
} from "@/lib/payments/connections/list-handle-connection-views";
import { requireAccount } from "@/lib/runtime/dashboard/current-session";
import { loadSearch } from "@/lib/runtime/dashboard/load-search";

export const metadata = { title: "Connected customers" };

const FILTERS: Filter[] = [
  { type: "text", name: "handle", label: "Customer", placeholder: "Number or email" },
  { type: "select", name: "status", label: "Status", all: "All statuses", options: recordOptions("consent") },
];

export default async function CustomersPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const { ctx, may } = await requireAccount("view_payments");
  const loaded = await loadSearch(ctx, await searchParams, {
    api: "/api/agent-payments/connections",
    query: ListHandleConnectionViews.query,
    filters: FILTERS,
    search: (query) => listHandleConnectionViews(ctx, { query }),
  });
  return (
    <ListPage
      title="Connected customers"
      description="Customers who let your agents pay on their behalf, and customers who were asked for consent."
      tabs={<AgentTabs current="customers" />}
    >
      <CustomerList found={loaded} mayManage={may("manage_payments")} />
    </ListPage>
  );
}
