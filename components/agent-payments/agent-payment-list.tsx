"use client";

import { Bot } from "lucide-react";
import { AGENT_PAYMENT_TYPES } from "@/components/agent-payments/agent-payment-types";
import { WaitingFor } from "@/components/agent-payments/waiting-for";
import type { DataColumn } from "@/components/data/data-table";
import { Grouped } from "@/components/data/grouped";
import { None } from "@/components/data/none";
import { RecordBadge } from "@/components/data/record-badge";
import { Timestamp } from "@/components/data/time/timestamp";
import { ListScreen } from "@/components/list/list-screen";
import { type PaymentTotal, PaymentTotals } from "@/components/payments/payment-totals";
import type { LoadedSearch } from "@/lib/client/filters";
import type { PaymentView } from "@/lib/payments/agent-payments/list-payment-views";
import type { ListTotal } from "@/lib/platform/lists/total-of";

const columns: DataColumn<PaymentView>[] = [
  {
    key: "what",
    header: "Payment",
    className: "sm:max-w-64",
    cell: ({ description, merchant }) => (
      <span className="block min-w-0 sm:truncate" dir="auto">
        {description ?? merchant.name ?? "Payment"}
      </span>
    ),
  },
  {
    key: "status",
    header: "Status",
    cell: ({ status }) => <RecordBadge kind="agentPayment" value={status ?? "needs_connection"} />,
  },
  { key: "next", header: "Waiting for", cell: (payment) => <WaitingFor payment={payment} /> },
  {
    key: "amount",
    header: "Amount",
    align: "number",
    className: "whitespace-nowrap",
    cell: ({ amount_text, currency }) => (
      <span>
        {amount_text} <span className="text-muted-foreground text-xs">{currency?.toUpperCase()}</span>
      </span>
    ),
  },
  {
    key: "customer",
    header: "Customer",
    className: "tabular-nums",
    cell: ({ handle }) => (handle ? <Grouped>{handle}</Grouped> : <None />),
  },
  {
    key: "merchant",
    header: "Merchant",
    className: "max-lg:hidden",
    cell: ({ merchant }) => {
      const shown = merchant.name ?? merchant.url;
      return shown === null ? <None /> : <bdi>{shown}</bdi>;
    },
  },
  { key: "moved", header: "Updated", cell: ({ moved_at }) => <Timestamp value={moved_at} /> },
];

export type AgentPaymentPage = { payments: PaymentView[]; next_cursor: string | null; total: ListTotal };

type AgentPaymentListProps = {
  found?: LoadedSearch<AgentPaymentPage> | undefined;
  totals?: PaymentTotal[] | undefined;
  /** The empty state's description: how to start the first payment. */
  firstStep?: string;
};

const FIRST_STEP =
  "Payments by your agents appear here. Start one with POST /v3/payments. Each customer consents once, in the chat.";

/** The account's agent payments, with the totals of the filtered payments. */
export function AgentPaymentList({ found, totals = [], firstStep = FIRST_STEP }: AgentPaymentListProps) {
  return (
    <ListScreen
      found={found}
      label="Agent payments"
      noun={{ one: "payment", many: "payments" }}
      rowsOf={(page) => page.payments}
      columns={columns}
      rowKey={({ internal_id }) => internal_id}
      rowHref={({ internal_id }) => `/agent-payments/${internal_id}`}
      live={{ types: AGENT_PAYMENT_TYPES }}
      summary={(query) => <PaymentTotals initial={totals} api="/api/agent-payments" query={query} />}
      empty={{ icon: Bot, title: "No agent payments yet", description: firstStep }}
    />
  );
}
