"use client";

import { Receipt } from "lucide-react";
import Link from "next/link";
import { lazy, type ReactNode } from "react";
import type { DataColumn } from "@/components/data/data-table";
import { Grouped } from "@/components/data/grouped";
import { None } from "@/components/data/none";
import { Timestamp } from "@/components/data/time/timestamp";
import { ListScreen } from "@/components/list/list-screen";
import { PaymentBadge } from "@/components/payments/payment-badge";
import type { ShownPayment } from "@/components/payments/payment-screen";
import { type PaymentTotal, PaymentTotals } from "@/components/payments/payment-totals";
import { PAYMENT_TYPES } from "@/components/payments/payment-types";
import type { LoadedSearch } from "@/lib/client/filters";
import type { PaymentRequestView } from "@/lib/payments/requests/payment-request-view";
import type { ListTotal } from "@/lib/platform/lists/total-of";

// Loaded when a request is first opened.
const PaymentScreen = lazy(async () => ({
  default: (await import("@/components/payments/payment-screen")).PaymentScreen,
}));

const columns: DataColumn<PaymentRequestView>[] = [
  {
    key: "description",
    header: "Description",
    className: "sm:max-w-72",
    cell: ({ description, mode }) => (
      <span className="block min-w-0 sm:truncate" dir="auto" title={description}>
        {description ?? (mode === "subscription" ? "Subscription" : "Payment")}
      </span>
    ),
  },
  { key: "status", header: "Status", cell: (request) => <PaymentBadge request={request} /> },
  {
    key: "amount",
    header: "Amount",
    align: "number",
    className: "whitespace-nowrap",
    cell: ({ amount_text, currency, interval, interval_count }) => (
      <span>
        {amount_text} <span className="text-muted-foreground text-xs">{currency.toUpperCase()}</span>
        {interval && (
          <span className="text-muted-foreground text-xs"> / {periodOf(interval, interval_count)}</span>
        )}
      </span>
    ),
  },
  {
    key: "customer",
    header: "Sent to",
    className: "whitespace-nowrap tabular-nums",
    cell: ({ sent_to: [chat], primary }) => {
      if (chat === undefined) return primary?.customer_id ? <Customer id={primary.customer_id} /> : <None />;
      return (
        <Link href={`/chats/${chat.chat_id}`} className="hover:underline">
          <Grouped>{chat.handle ?? "A chat"}</Grouped>
        </Link>
      );
    },
  },
  { key: "created", header: "Created", cell: ({ created_at }) => <Timestamp value={created_at} /> },
  {
    key: "expires",
    header: "Expires",
    className: "max-lg:hidden",
    cell: ({ status, expires_at }) =>
      status === "requested" && expires_at ? <Timestamp value={expires_at} /> : <None />,
  },
];

function periodOf(interval: string, count = 1): string {
  return count === 1 ? interval : `${count} ${interval}s`;
}

function Customer({ id }: { id: string }) {
  return <span className="block max-w-36 truncate font-mono text-xs">{id}</span>;
}

type PaymentPage = { payment_requests: PaymentRequestView[]; next_cursor: string | null; total: ListTotal };

type PaymentListProps = {
  found?: LoadedSearch<PaymentPage>;
  totals?: PaymentTotal[];
  /** The button that creates a request; absent when the user has no right to. */
  create?: ReactNode;
  mayCancel?: boolean;
  maySend?: boolean;
};

/** The account's payment requests, with the totals of the filtered requests. */
export function PaymentList({
  found,
  totals = [],
  create,
  mayCancel = false,
  maySend = false,
}: PaymentListProps) {
  return (
    <ListScreen
      found={found}
      label="Payment requests"
      noun={{ one: "payment request", many: "payment requests" }}
      rowsOf={(page) => page.payment_requests}
      columns={columns}
      rowKey={({ id }) => id}
      rowHref={({ id }) => `/payments/${id}`}
      panel={(id) => ({
        path: `/api/payment-requests/${id}`,
        href: `/payments/${id}`,
        view: (initial: ShownPayment) => (
          <PaymentScreen initial={initial} mayCancel={mayCancel} maySend={maySend} />
        ),
      })}
      live={{ types: PAYMENT_TYPES }}
      summary={(query) => <PaymentTotals initial={totals} api="/api/payment-requests" query={query} />}
      empty={{
        icon: Receipt,
        title: "No payment requests yet",
        description:
          "Your payment requests appear here. Create one here or with POST /v3/payment_requests, then send its link to a customer.",
        action: create,
      }}
    />
  );
}
