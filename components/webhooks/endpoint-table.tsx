import type { ReactNode } from "react";
import { type DataColumn, DataTable } from "@/components/data/data-table";
import { Timestamp } from "@/components/data/timestamp";
import { EndpointState } from "@/components/webhooks/endpoint-state";
import { HealthSparkline, type WatchedEndpoint } from "@/components/webhooks/health-sparkline";

const columns: DataColumn<WatchedEndpoint>[] = [
  {
    key: "target",
    header: "Target URL",
    className: "sm:max-w-88",
    cell: ({ target_url }) => (
      <span className="block min-w-0 font-mono text-xs max-sm:wrap-anywhere sm:truncate" title={target_url}>
        {target_url}
      </span>
    ),
  },
  {
    key: "events",
    header: "Events",
    align: "number",
    cell: ({ subscribed_events }) => subscribed_events.length,
  },
  { key: "state", header: "State", cell: (endpoint) => <EndpointState endpoint={endpoint} /> },
  {
    key: "version",
    header: "Version",
    className: "whitespace-nowrap tabular-nums",
    cell: ({ version }) => version,
  },
  {
    key: "health",
    header: "Last 24 hours",
    cell: ({ last_24_hours }) => <HealthSparkline day={last_24_hours} />,
  },
  { key: "created", header: "Created", cell: ({ created_at }) => <Timestamp value={created_at} /> },
];

/** Webhook endpoints as rows that lead to their pages. */
export function EndpointTable({ endpoints, empty }: { endpoints: WatchedEndpoint[]; empty: ReactNode }) {
  return (
    <DataTable
      label="Webhook endpoints"
      columns={columns}
      rows={endpoints}
      rowKey={({ id }) => id}
      rowHref={({ id }) => `/webhooks/${id}`}
      empty={empty}
    />
  );
}
