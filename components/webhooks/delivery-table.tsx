import type { ReactNode } from "react";
import { type DataColumn, DataTable } from "@/components/data/data-table";
import { StatusBadge } from "@/components/data/status-badge";
import { Timestamp } from "@/components/data/timestamp";
import type { ListedDelivery } from "@/lib/webhooks/listed-delivery";

const columns: DataColumn<ListedDelivery>[] = [
  {
    key: "event",
    header: "Event",
    cell: ({ event, replay_id }) => (
      <span className="wrap-anywhere font-mono text-xs">
        {event.type}
        {replay_id !== null && <span className="ml-2 font-sans text-muted-foreground">replay</span>}
      </span>
    ),
  },
  { key: "status", header: "Status", cell: ({ status }) => <StatusBadge kind="webhook" value={status} /> },
  { key: "attempts", header: "Attempts", align: "number", cell: ({ attempts }) => attempts },
  {
    key: "answer",
    header: "Last answer",
    className: "whitespace-nowrap tabular-nums",
    cell: ({ last_attempt: last }) => last?.status_code ?? last?.error?.replaceAll("_", " ") ?? <None />,
  },
  {
    key: "next",
    header: "Next try",
    cell: ({ next_attempt_at: next }) => (next === null ? <None /> : <Timestamp value={next} />),
  },
  { key: "time", header: "Time", cell: ({ created_at }) => <Timestamp value={created_at} /> },
];

/** Deliveries as rows that lead to their details. */
export function DeliveryTable({ deliveries, empty }: { deliveries: ListedDelivery[]; empty: ReactNode }) {
  return (
    <DataTable
      label="Deliveries"
      columns={columns}
      rows={deliveries}
      rowKey={({ id }) => id}
      rowHref={({ id, subscription_id }) => `/webhooks/${subscription_id}/deliveries/${id}`}
      empty={empty}
    />
  );
}

function None() {
  return (
    <span className="text-muted-foreground">
      <span aria-hidden="true">–</span>
      <span className="sr-only">none</span>
    </span>
  );
}
