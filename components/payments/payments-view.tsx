"use client";

import { Receipt, SearchX } from "lucide-react";
import type { ReactNode } from "react";
import { CsvLink } from "@/components/data/csv-link";
import { EmptyState } from "@/components/data/empty-state";
import { OlderItems } from "@/components/data/older-items";
import { usePages } from "@/components/data/use-pages";
import { PaymentTable } from "@/components/payments/payment-table";
import { type PaymentTotal, PaymentTotals } from "@/components/payments/payment-totals";
import { queryString } from "@/lib/client/query-string";
import type { ShownPaymentRequest } from "@/lib/payment-requests/shown-payment-request";

type PaymentPage = { payment_requests: ShownPaymentRequest[]; next_cursor: string | null };

type PaymentsViewProps = {
  initial: PaymentPage;
  totals: PaymentTotal[];
  /** As GET /api/payment-requests takes it. */
  query: Record<string, string>;
  /** Begins a new one; absent when the reader may not. */
  create: ReactNode;
};

/** The payment requests found, what they come to, and older ones on demand. */
export function PaymentsView({ initial, totals, query, create }: PaymentsViewProps) {
  const { page, older } = usePages<PaymentPage>({
    initial,
    path: "/api/payment-requests",
    query,
    join: (shown, next) => ({
      ...next,
      payment_requests: [...shown.payment_requests, ...next.payment_requests],
    }),
  });
  const isFiltered = Object.keys(query).length > 0;

  return (
    <div className="flex min-w-0 flex-col gap-3">
      <div className="flex flex-wrap items-end justify-between gap-3">
        <PaymentTotals totals={totals} />
        {page.payment_requests.length > 0 && (
          <div className="ml-auto">
            <CsvLink href={`/api/payment-requests/csv${queryString(query)}`} />
          </div>
        )}
      </div>
      <PaymentTable
        requests={page.payment_requests}
        empty={<NoPayments isFiltered={isFiltered} create={create} />}
      />
      <OlderItems hasMore={page.next_cursor !== null} label="older requests" older={older} />
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
