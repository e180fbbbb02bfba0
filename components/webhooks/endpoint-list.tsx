"use client";

import { Webhook } from "lucide-react";
import type { DataColumn } from "@/components/data/data-table";
import { Timestamp } from "@/components/data/time/timestamp";
import { ListScreen } from "@/components/list/list-screen";
import { EndpointState } from "@/components/webhooks/endpoint-state";
import { HealthSparkline, type WatchedEndpoint } from "@/components/webhooks/health-sparkline";
import type { LoadedSearch } from "@/lib/client/filters";

const LOOK_MS = 15_000;

const columns: DataColumn<WatchedEndpoint>[] = [
  {
    key: "target",
    header: "Endpoint",
    className: "sm:max-w-88",
    cell: ({ name, target_url }) => (
      <span className="flex min-w-0 flex-col">
        {name !== null && <span className="wrap-anywhere font-medium">{name}</span>}
        <span className="block min-w-0 font-mono text-xs max-sm:wrap-anywhere sm:truncate" title={target_url}>
          {target_url}
        </span>
      </span>
    ),
  },
  {
    key: "events",
    header: "Events",
    align: "number",
    cell: ({ subscribed_events }) => subscribed_events.length,
  },
  { key: "state", header: "Status", cell: (endpoint) => <EndpointState endpoint={endpoint} /> },
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

type EndpointListProps = { found?: LoadedSearch<{ endpoints: WatchedEndpoint[] }>; mayManage?: boolean };

/** The account's webhook endpoints, with their deliveries in the last 24 hours. */
export function EndpointList({ found, mayManage = false }: EndpointListProps) {
  return (
    <ListScreen
      found={found}
      label="Webhook endpoints"
      noun={{ one: "endpoint", many: "endpoints" }}
      rowsOf={(page) => page.endpoints}
      columns={columns}
      rowKey={({ id }) => id}
      rowHref={({ id }) => `/webhooks/${id}`}
      live={{ everyMs: LOOK_MS }}
      empty={{
        icon: Webhook,
        title: "No endpoints yet",
        description: mayManage
          ? "Your endpoints appear here. An endpoint is a URL on your server that receives events. Add an endpoint, select its events and store its signing secret."
          : "Endpoints appear here. An endpoint is a URL on your server that receives events. Ask an admin or a developer of your team to add one.",
      }}
    />
  );
}
