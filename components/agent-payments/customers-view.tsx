"use client";

import { UserCheck } from "lucide-react";
import { useRouter } from "next/navigation";
import { ConfirmDeed } from "@/components/data/confirm-deed";
import { type DataColumn, DataTable } from "@/components/data/data-table";
import { EmptyState } from "@/components/data/empty-state";
import { None } from "@/components/data/none";
import { OlderItems } from "@/components/data/older-items";
import { StatusBadge } from "@/components/data/status-badge";
import { Timestamp } from "@/components/data/timestamp";
import { usePages } from "@/components/data/use-pages";
import type { ListedConnection } from "@/lib/agent-payments/list-handle-connections";
import { apiFetch } from "@/lib/client/api-fetch";

type CustomerPage = { connections: ListedConnection[]; next_cursor: string | null };

const columns: DataColumn<ListedConnection>[] = [
  { key: "customer", header: "Customer", className: "tabular-nums", cell: ({ handle }) => handle },
  { key: "status", header: "Status", cell: ({ status }) => <StatusBadge kind="consent" value={status} /> },
  { key: "connected", header: "Connected", cell: ({ connected_at }) => moment(connected_at) },
  { key: "changed", header: "Last changed", cell: ({ updated_at }) => moment(updated_at) },
  { key: "revoked", header: "Revoked", cell: ({ revoked_at }) => moment(revoked_at) },
];

function moment(value: string | null) {
  return value === null ? <None /> : <Timestamp value={value} />;
}

type CustomersViewProps = { initial: CustomerPage; mayManage: boolean };

/** Whose consent the account's agents have, had, or are asking for. */
export function CustomersView({ initial, mayManage }: CustomersViewProps) {
  const router = useRouter();
  const { page, older } = usePages<CustomerPage>({
    initial,
    path: "/api/agent-payments/connections",
    query: {},
    join: (shown, next) => ({ ...next, connections: [...shown.connections, ...next.connections] }),
  });
  const revoke: DataColumn<ListedConnection> = {
    key: "revoke",
    header: "Revoke",
    hideHeader: true,
    align: "number",
    cell: ({ handle, status }) =>
      status !== "revoked" && <Revoke handle={handle} onDone={() => router.refresh()} />,
  };

  return (
    <div className="flex min-w-0 flex-col gap-3">
      <DataTable
        label="Connected customers"
        columns={mayManage ? [...columns, revoke] : columns}
        rows={page.connections}
        rowKey={({ handle, provider }) => `${provider} ${handle}`}
        empty={
          <EmptyState
            icon={UserCheck}
            title="No customer was asked yet"
            description="POST /v3/payments/handles/{handle}/connect sends a customer a code through the thread; with it they consent."
          />
        }
      />
      <OlderItems hasMore={page.next_cursor !== null} label="older customers" older={older} />
    </div>
  );
}

function Revoke({ handle, onDone }: { handle: string; onDone: () => void }) {
  return (
    <ConfirmDeed
      label="Revoke"
      name={`Revoke ${handle}`}
      title={`Revoke the consent of ${handle}?`}
      description="Agents can pay for this customer no more until they consent again, and cards nobody has charged are closed."
      confirm="Revoke consent"
      keep="Keep it"
      done={`The consent of ${handle} is revoked`}
      failed="Not revoked"
      deed={() =>
        apiFetch(`/api/agent-payments/connections/${encodeURIComponent(handle)}`, { method: "DELETE" })
      }
      onDone={onDone}
    />
  );
}
