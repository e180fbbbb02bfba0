"use client";

import { SearchX, UserCheck } from "lucide-react";
import { useRouter } from "next/navigation";
import { useTransition } from "react";
import { AGENT_PAYMENT_TYPES } from "@/components/agent-payments/agent-payment-types";
import { CustomerTable } from "@/components/agent-payments/customer-table";
import { CsvLink } from "@/components/data/csv-link";
import { EmptyState } from "@/components/data/empty-state";
import { FilterSelect } from "@/components/data/filter-select";
import { ListEnd } from "@/components/data/list-end";
import { statusLooks } from "@/components/data/status-badge";
import { TextFilter } from "@/components/data/text-filter";
import { useLivePages } from "@/components/data/use-live-pages";
import { queryString } from "@/lib/client/query-string";
import type { ListedConnection } from "@/lib/payments/agent-payments/list-handle-connections";

type CustomerPage = { connections: ListedConnection[]; next_cursor: string | null };
type CustomerFilter = { status?: string; handle?: string };

type CustomersViewProps = { initial: CustomerPage; filter: CustomerFilter; mayManage: boolean };

const PATH = "/api/agent-payments/connections";
const STATUSES = Object.entries(statusLooks.consent).map(([value, { label }]) => ({ value, label }));

/** Whose consent the account's agents have, had, or are asking for; the address keeps what it is narrowed by. */
export function CustomersView({ initial, filter, mayManage }: CustomersViewProps) {
  const router = useRouter();
  const [pending, startTransition] = useTransition();
  const query = { ...filter };
  const { list, pages, refresh } = useLivePages<CustomerPage>({
    initial,
    path: PATH,
    query,
    types: AGENT_PAYMENT_TYPES,
  });
  const connections = pages.flatMap((page) => page.connections);
  const change = (part: CustomerFilter) =>
    startTransition(() => router.replace(`/agent-payments/customers${queryString({ ...filter, ...part })}`));

  return (
    <div className="flex min-w-0 flex-col gap-3">
      <search className="flex flex-wrap items-center gap-2" aria-busy={pending}>
        <TextFilter
          key={filter.handle ?? ""}
          label="Customer"
          placeholder="+15550100101"
          value={filter.handle ?? ""}
          onChange={(handle) => change({ handle })}
        />
        <FilterSelect
          name="Status"
          all="All statuses"
          value={filter.status}
          options={STATUSES}
          onChange={(status) => change({ status })}
        />
        {connections.length > 0 && (
          <div className="ml-auto">
            <CsvLink href={`${PATH}/csv${queryString(query)}`} />
          </div>
        )}
      </search>
      <CustomerTable
        connections={connections}
        onRevoked={mayManage ? refresh : undefined}
        empty={<NoCustomers isFiltered={Object.keys(filter).length > 0} />}
      />
      <ListEnd list={list} label="older customers" />
    </div>
  );
}

function NoCustomers({ isFiltered }: { isFiltered: boolean }) {
  return isFiltered ? (
    <EmptyState
      icon={SearchX}
      title="No such customer"
      description="Nobody with this number and status was asked. Give the whole number, as +15550100101."
    />
  ) : (
    <EmptyState
      icon={UserCheck}
      title="No customer was asked yet"
      description="POST /v3/payments/handles/{handle}/connect sends a customer a code through the thread; with it they consent."
    />
  );
}
