import type { ReactNode } from "react";
import { WaitsFor } from "@/components/agent-payments/waits-for";
import { type DataColumn, DataTable } from "@/components/data/data-table";
import { None } from "@/components/data/none";
import { StatusBadge } from "@/components/data/status-badge";
import { Timestamp } from "@/components/data/timestamp";
import type { ListedPayment } from "@/lib/payments/agent-payments/list-agent-payments";

const columns: DataColumn<ListedPayment>[] = [
  {
    key: "what",
    header: "Payment",
    className: "sm:max-w-64",
    cell: ({ description, merchant }) => (
      <span className="block min-w-0 sm:truncate">{description ?? merchant.name ?? "Payment"}</span>
    ),
  },
  {
    key: "status",
    header: "Status",
    cell: ({ status }) => <StatusBadge kind="agentPayment" value={status ?? "needs_connection"} />,
  },
  { key: "next", header: "Acts next", cell: (payment) => <WaitsFor payment={payment} /> },
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
    cell: ({ handle }) => handle ?? <None />,
  },
  {
    key: "merchant",
    header: "Merchant",
    className: "max-lg:hidden",
    cell: ({ merchant }) => merchant.name ?? merchant.url ?? <None />,
  },
  { key: "moved", header: "Last moved", cell: ({ moved_at }) => <Timestamp value={moved_at} /> },
];

type AgentPaymentTableProps = { payments: ListedPayment[]; empty?: ReactNode; loadingRows?: number };

/** Agent payments as rows that lead to their details. */
export function AgentPaymentTable({ payments, ...rest }: AgentPaymentTableProps) {
  return (
    <DataTable
      label="Agent payments"
      columns={columns}
      rows={payments}
      rowKey={({ internal_id }) => internal_id}
      rowHref={({ internal_id }) => `/agent-payments/${internal_id}`}
      {...rest}
    />
  );
}
