"use client";

import { X } from "lucide-react";
import { useRouter } from "next/navigation";
import { useTransition } from "react";
import { FilterSelect } from "@/components/data/filter-select";
import { SearchBox } from "@/components/data/search-box";
import { statusLooks } from "@/components/data/status-badge";
import type { PaymentFilter } from "@/components/payments/payment-filter";
import { PERIODS } from "@/components/requests/request-filter";
import { Button } from "@/components/ui/button";
import { Spinner } from "@/components/ui/spinner";
import { queryString } from "@/lib/client/query-string";

type PaymentFiltersProps = { filter: PaymentFilter; currencies: string[] };

const STATUSES = (["requested", "succeeded", "canceled", "expired"] as const).map((status) => ({
  value: status,
  label: statusLooks.payment[status].label,
}));
const TIMES = Object.entries(PERIODS).map(([value, { label }]) => ({ value, label }));

/** Narrows the payment requests; the address keeps it. */
export function PaymentFilters({ filter, currencies }: PaymentFiltersProps) {
  const router = useRouter();
  const [pending, startTransition] = useTransition();
  const isNarrowed = Object.keys(filter).length > 0;

  function change(part: PaymentFilter): void {
    const next = { ...filter, ...part };
    startTransition(() => router.replace(`/payments${queryString({ ...next })}`, { scroll: false }));
  }

  return (
    <search className="flex flex-wrap items-center gap-2" aria-busy={pending}>
      <SearchBox
        key={filter.q ?? ""}
        label="Search by description, or by an id of ours or of the processor"
        placeholder="Description, request, customer or payment id"
        value={filter.q ?? ""}
        onSearch={(q) => change({ q })}
      />
      <FilterSelect
        name="Status"
        all="All statuses"
        value={filter.status}
        options={STATUSES}
        onChange={(status) => change({ status })}
      />
      <FilterSelect
        name="Currency"
        all="All currencies"
        value={filter.currency}
        options={currencies.map((code) => ({ value: code, label: code.toUpperCase() }))}
        onChange={(currency) => change({ currency })}
      />
      <FilterSelect
        name="Created"
        all="Any time"
        value={filter.since}
        options={TIMES}
        onChange={(since) => change({ since })}
      />
      {isNarrowed && (
        <Button variant="ghost" size="sm" onClick={() => startTransition(() => router.replace("/payments"))}>
          <X aria-hidden="true" />
          Clear
        </Button>
      )}
      {pending && <Spinner />}
    </search>
  );
}
