"use client";

import { UserCheck } from "lucide-react";
import { AGENT_PAYMENT_TYPES } from "@/components/agent-payments/agent-payment-types";
import { RevokeConsent } from "@/components/agent-payments/revoke-consent";
import { NamedHandle } from "@/components/customers/handle-link";
import type { DataColumn } from "@/components/data/data-table";
import { None } from "@/components/data/none";
import { RecordBadge } from "@/components/data/record-badge";
import { Timestamp } from "@/components/data/time/timestamp";
import { ListScreen } from "@/components/list/list-screen";
import type { LoadedSearch } from "@/lib/client/filters";
import type { HandleConnectionView } from "@/lib/payments/connections/list-handle-connection-views";
import type { ListTotal } from "@/lib/platform/lists/total-of";

const columns: DataColumn<HandleConnectionView>[] = [
  {
    key: "customer",
    header: "Customer",
    className: "tabular-nums",
    cell: ({ handle }) => <NamedHandle handle={handle} />,
  },
  { key: "status", header: "Status", cell: ({ status }) => <RecordBadge kind="consent" value={status} /> },
  { key: "payments", header: "Payments", align: "number", cell: ({ payments }) => payments },
  { key: "used", header: "Last used", cell: ({ last_paid_at }) => moment(last_paid_at) },
  { key: "connected", header: "Connected", cell: ({ connected_at }) => moment(connected_at) },
  { key: "revoked", header: "Revoked", cell: ({ revoked_at }) => moment(revoked_at) },
];

function moment(value: string | null) {
  return value === null ? <None /> : <Timestamp value={value} />;
}

const revoke: DataColumn<HandleConnectionView> = {
  key: "revoke",
  header: "Revoke",
  hideHeader: true,
  align: "number",
  cell: ({ handle, status }) => status !== "revoked" && <RevokeConsent handle={handle} />,
};

type CustomerListProps = {
  found?: LoadedSearch<{ connections: HandleConnectionView[]; next_cursor: string | null; total: ListTotal }>;
  mayManage?: boolean;
};

/** Customers who gave or revoked consent, or whose consent was requested. */
export function CustomerList({ found, mayManage = false }: CustomerListProps) {
  return (
    <ListScreen
      found={found}
      label="Connected customers"
      noun={{ one: "customer", many: "customers" }}
      rowsOf={(page) => page.connections}
      columns={mayManage ? [...columns, revoke] : columns}
      rowKey={({ handle, provider }) => `${provider} ${handle}`}
      rowHref={({ handle }) => `/agent-payments/customers/${encodeURIComponent(handle)}`}
      live={{ types: AGENT_PAYMENT_TYPES }}
      empty={{
        icon: UserCheck,
        title: "No connected customers yet",
        description:
          "Customers who let your agents pay appear here. POST /v3/payments/handles/{handle}/connect sends a customer a verification code; verify the code to connect the customer.",
      }}
    />
  );
}
