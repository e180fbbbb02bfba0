"use client";

import { useQuery } from "@tanstack/react-query";
import { Bot, SearchX } from "lucide-react";
import { useRouter } from "next/navigation";
import { useTransition } from "react";
import { AgentPaymentTable } from "@/components/agent-payments/agent-payment-table";
import { AGENT_PAYMENT_TYPES } from "@/components/agent-payments/agent-payment-types";
import { CsvLink } from "@/components/data/csv-link";
import { EmptyState } from "@/components/data/empty-state";
import { FilterSelect } from "@/components/data/filter-select";
import { ListEnd } from "@/components/data/list-end";
import { statusLooks } from "@/components/data/status-badge";
import { TextFilter } from "@/components/data/text-filter";
import { useLivePages } from "@/components/data/use-live-pages";
import { type PaymentTotal, PaymentTotals } from "@/components/payments/payment-totals";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";
import { queryString } from "@/lib/client/query-string";
import type { ListedPayment } from "@/lib/payments/agent-payments/list-agent-payments";

type AgentPage = { payments: ListedPayment[]; next_cursor: string | null };
type AgentFilter = { status?: string; handle?: string };

type AgentPaymentsViewProps = { initial: AgentPage; totals: PaymentTotal[]; filter: AgentFilter };

const PATH = "/api/agent-payments";

const STATUSES = Object.entries(statusLooks.agentPayment).map(([value, { label }]) => ({ value, label }));

/** What agents paid or are about to, the newest first; the address keeps what it is narrowed by. */
export function AgentPaymentsView({ initial, totals, filter }: AgentPaymentsViewProps) {
  const router = useRouter();
  const [pending, startTransition] = useTransition();
  const query = { ...filter };
  const { list, pages } = useLivePages<AgentPage>({ initial, path: PATH, query, types: AGENT_PAYMENT_TYPES });
  const payments = pages.flatMap((page) => page.payments);
  const { data: sums } = useQuery<{ totals: PaymentTotal[] }, ApiFailure>({
    queryKey: [PATH, "totals", query],
    queryFn: ({ signal }) => apiFetch(`${PATH}/totals${queryString(query)}`, { signal }),
    initialData: { totals },
  });
  const change = (part: AgentFilter) =>
    startTransition(() => router.replace(`/agent-payments${queryString({ ...filter, ...part })}`));
  const isFiltered = Object.keys(filter).length > 0;

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
      </search>
      <div className="flex flex-wrap items-end justify-between gap-3">
        <PaymentTotals totals={sums.totals} />
        {payments.length > 0 && (
          <div className="ml-auto">
            <CsvLink href={`${PATH}/csv${queryString(query)}`} />
          </div>
        )}
      </div>
      <AgentPaymentTable
        payments={payments}
        empty={
          <EmptyState
            icon={isFiltered ? SearchX : Bot}
            title={isFiltered ? "No such payment" : "No agent payment yet"}
            description={
              isFiltered
                ? "Nothing fits this customer and status."
                : "An agent begins one with POST /v3/payments. The customer consents once, in the thread."
            }
          />
        }
      />
      <ListEnd list={list} label="older payments" />
    </div>
  );
}
