"use client";

import { useQuery } from "@tanstack/react-query";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";
import { queryString } from "@/lib/client/query-string";

export type PaymentTotal = {
  currency: string;
  count: number;
  requested_text: string;
  paid_count: number;
  paid_text: string;
};

/** The API totals this many of the newest payments. */
const MAX_TOTALED = 10_000;

type PaymentTotalsProps = { initial: PaymentTotal[]; api: string; query: Record<string, string> };

/** The totals of the newest matching payments by currency, updated together with the list. */
export function PaymentTotals({ initial, api, query }: PaymentTotalsProps) {
  const { data } = useQuery<{ totals: PaymentTotal[] }, ApiFailure>({
    queryKey: [api, "totals", query],
    queryFn: ({ signal }) => apiFetch(`${api}/totals${queryString(query)}`, { signal }),
    initialData: { totals: initial },
  });
  const { totals } = data;
  if (totals.length === 0) return null;
  const isCapped = totals.reduce((sum, { count }) => sum + count, 0) >= MAX_TOTALED;
  return (
    <div className="flex min-w-0 flex-col gap-1.5 max-sm:w-full">
      <TotalCards totals={totals} />
      {isCapped && (
        <p className="text-muted-foreground text-xs">
          Totals of the newest {MAX_TOTALED.toLocaleString("en-US")} payments. Filter the list to total
          others.
        </p>
      )}
    </div>
  );
}

function TotalCards({ totals }: { totals: PaymentTotal[] }) {
  return (
    <dl aria-label="Totals" className="grid grid-cols-2 gap-2 max-sm:w-full sm:flex sm:flex-wrap">
      {totals.map(({ currency, count, requested_text, paid_count, paid_text }) => (
        <div
          key={currency}
          className="flex min-w-0 flex-col sm:min-w-44 gap-0.5 rounded-lg border bg-card px-3.5 py-2.5"
        >
          <dt className="text-muted-foreground text-xs">
            {currency.toUpperCase()} paid, {paid_count} of {count}
          </dt>
          <dd className="tabular-nums">
            <span className="font-semibold text-base">{paid_text}</span>
            <span className="text-muted-foreground text-xs"> of {requested_text}</span>
          </dd>
        </div>
      ))}
    </dl>
  );
}
