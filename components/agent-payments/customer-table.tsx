import type { ReactNode } from "react";
import { RevokeConsent } from "@/components/agent-payments/revoke-consent";
import { type DataColumn, DataTable } from "@/components/data/data-table";
import { None } from "@/components/data/none";
import { StatusBadge } from "@/components/data/status-badge";
import { Timestamp } from "@/components/data/timestamp";
import type { ListedConnection } from "@/lib/payments/agent-payments/list-handle-connections";

const columns: DataColumn<ListedConnection>[] = [
  { key: "customer", header: "Customer", className: "tabular-nums", cell: ({ handle }) => handle },
  { key: "status", header: "Status", cell: ({ status }) => <StatusBadge kind="consent" value={status} /> },
  { key: "payments", header: "Payments", align: "number", cell: ({ payments }) => payments },
  { key: "used", header: "Last use", cell: ({ last_paid_at }) => moment(last_paid_at) },
  { key: "connected", header: "Connected", cell: ({ connected_at }) => moment(connected_at) },
  { key: "revoked", header: "Revoked", cell: ({ revoked_at }) => moment(revoked_at) },
];

function moment(value: string | null) {
  return value === null ? <None /> : <Timestamp value={value} />;
}

type CustomerTableProps = {
  connections: ListedConnection[];
  empty?: ReactNode;
  loadingRows?: number;
  /** Absent when the reader may not revoke. */
  onRevoked?: () => void;
};

/** Customers as rows that lead to what was paid for them. */
export function CustomerTable({ connections, onRevoked, ...rest }: CustomerTableProps) {
  const revoke: DataColumn<ListedConnection> = {
    key: "revoke",
    header: "Revoke",
    hideHeader: true,
    align: "number",
    cell: ({ handle, status }) =>
      status !== "revoked" && onRevoked && <RevokeConsent handle={handle} onDone={onRevoked} />,
  };
  return (
    <DataTable
      label="Connected customers"
      columns={onRevoked ? [...columns, revoke] : columns}
      rows={connections}
      rowKey={({ handle, provider }) => `${provider} ${handle}`}
      rowHref={({ handle }) => `/agent-payments/customers/${encodeURIComponent(handle)}`}
      {...rest}
    />
  );
}
