"use client";

import { Inbox } from "lucide-react";
import type { DataColumn } from "@/components/data/data-table";
import { None } from "@/components/data/none";
import { StatusBadge } from "@/components/data/status-badge";
import { Timestamp } from "@/components/data/timestamp";
import { ListScreen } from "@/components/list/list-screen";
import type { LoadedSearch } from "@/lib/client/filters";
import type { ListTotal } from "@/lib/platform/total-of";
import type { ListedDelivery } from "@/lib/webhooks/listed-delivery";

const LOOK_MS = 3000;

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
    header: "Last response",
    className: "whitespace-nowrap tabular-nums",
    cell: ({ last_attempt: last }) => last?.status_code ?? last?.error?.replaceAll("_", " ") ?? <None />,
  },
  {
    key: "next",
    header: "Next attempt",
    cell: ({ next_attempt_at: next }) => (next === null ? <None /> : <Timestamp value={next} />),
  },
  { key: "time", header: "Time", cell: ({ created_at }) => <Timestamp value={created_at} /> },
];

type DeliveryListProps = {
  found?: LoadedSearch<{ deliveries: ListedDelivery[]; next_cursor: string | null; total: ListTotal }>;
};

/** The deliveries of one endpoint. */
export function DeliveryList({ found }: DeliveryListProps) {
  return (
    <section aria-label="Deliveries" className="flex min-w-0 flex-col gap-3">
      <h2 className="font-medium text-sm">Deliveries</h2>
      <ListScreen
        key={found?.id}
        found={found}
        label="Deliveries"
        noun={{ one: "delivery", many: "deliveries" }}
        rowsOf={(page) => page.deliveries}
        columns={columns}
        rowKey={({ id }) => id}
        rowHref={({ id, subscription_id }) => `/webhooks/${subscription_id}/deliveries/${id}`}
        live={{ everyMs: LOOK_MS }}
        empty={{
          icon: Inbox,
          title: "No deliveries yet",
          description:
            "Deliveries to this endpoint appear here as events happen. Send a test event to see the first one.",
        }}
      />
    </section>
  );
}
