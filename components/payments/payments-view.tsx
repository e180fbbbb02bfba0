"use client";

import { useQuery } from "@tanstack/react-query";
import { Receipt, SearchX } from "lucide-react";
import type { ReactNode } from "react";
import { CsvLink } from "@/components/data/csv-link";
import { EmptyState } from "@/components/data/empty-state";
import { ListEnd } from "@/components/data/list-end";
import { useLivePages } from "@/components/data/use-live-pages";
import { PaymentTable } from "@/components/payments/payment-table";
import { type PaymentTotal, PaymentTotals } from "@/components/payments/payment-totals";
import { PAYMENT_TYPES } from "@/components/payments/payment-types";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";
import { queryString } from "@/lib/client/query-string";
import type { ShownPaymentRequest } from "@/lib/payments/requests/shown-payment-request";

const PATH = "/api/payment-requests";
type PaymentPage = { payment_requests: ShownPaymentRequest[]; next_cursor: string | null };

type PaymentsViewProps = {
  initial: PaymentPage;
  totals: PaymentTotal[];
  /** As GET /api/payment-requests takes it. */
  query: Record<string, string>;
  /** Begins a new one; absent when the reader may not. */
  create: ReactNode;
};

/** The payment requests found as they are now, what they come to, and older ones on demand. */
export function PaymentsView({ initial, totals, query, create }: PaymentsViewProps) {
  const { list, pages } = useLivePages<PaymentPage>({ initial, path: PATH, query, types: PAYMENT_TYPES });
  const requests = pages.flatMap((page) => page.payment_requests);
  const { data: sums } = useQuery<{ totals: PaymentTotal[] }, ApiFailure>({
    queryKey: [PATH, "totals", query],
    queryFn: ({ signal }) => apiFetch(`${PATH}/totals${queryString(query)}`, { signal }),
    initialData: { totals },
  });
  const isFiltered = Object.keys(query).length > 0;

  return (
    <div className="flex min-w-0 flex-col gap-3">
      <div className="flex flex-wrap items-end justify-between gap-3">
        <PaymentTotals totals={sums.totals} />
        {requests.length > 0 && (
          <div className="ml-auto">
            <CsvLink href={`${PATH}/csv${queryString(query)}`} />
          </div>
        )}
      </div>
      <PaymentTable requests={requests} empty={<NoPayments isFiltered={isFiltered} create={create} />} />
      <ListEnd list={list} label="older requests" />
    </div>
  );
}

function NoPayments({ isFiltered, create }: { isFiltered: boolean; create: ReactNode }) {
  if (isFiltered) {
    return (
      <EmptyState
        icon={SearchX}
        title="No such payment request"
        description="Nothing fits these filters. Clear one of them to see more."
      />
    );
  }
  return (
    <EmptyState
      icon={Receipt}
      title="No payment request yet"
      description="Make one here or with POST /v3/payment_requests, and send its link to a customer."
      action={create}
    />
  );
}
