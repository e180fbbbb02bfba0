"use client";

import { Bot, SearchX } from "lucide-react";
import { useRouter } from "next/navigation";
import { useTransition } from "react";
import { AgentPaymentTable } from "@/components/agent-payments/agent-payment-table";
import { EmptyState } from "@/components/data/empty-state";
import { OlderItems } from "@/components/data/older-items";
import { statusLooks } from "@/components/data/status-badge";
import { TextFilter } from "@/components/data/text-filter";
import { usePages } from "@/components/data/use-pages";
import { FilterSelect } from "@/components/requests/filter-select";
import type { ListedPayment } from "@/lib/agent-payments/list-agent-payments";
import { queryString } from "@/lib/client/query-string";

type AgentPage = { payments: ListedPayment[]; next_cursor: string | null };
type AgentFilter = { status?: string; handle?: string };

type AgentPaymentsViewProps = { initial: AgentPage; filter: AgentFilter };

const STATUSES = Object.entries(statusLooks.agentPayment).map(([value, { label }]) => ({ value, label }));

/** What agents paid or are about to, the newest first; the address keeps what it is narrowed by. */
export function AgentPaymentsView({ initial, filter }: AgentPaymentsViewProps) {
  const router = useRouter();
  const [pending, startTransition] = useTransition();
  const { page, older } = usePages<AgentPage>({
    initial,
    path: "/api/agent-payments",
    query: { ...filter },
    join: (shown, next) => ({ ...next, payments: [...shown.payments, ...next.payments] }),
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
      <AgentPaymentTable
        payments={page.payments}
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
      <OlderItems hasMore={page.next_cursor !== null} label="older payments" older={older} />
    </div>
  );
}
