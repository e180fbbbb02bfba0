import { Server } from "lucide-react";
import { type DataColumn, DataTable } from "@/components/data/data-table";
import { EmptyState } from "@/components/data/empty-state";
import { formatBytes } from "@/components/data/format-bytes";
import { RecordBadge } from "@/components/data/record-badge";
import { Timestamp } from "@/components/data/time/timestamp";
import type { InstanceState } from "@/lib/operations/instance/instance";

type Process = InstanceState["processes"][number];

const ROLES = { web: "Web", worker: "Worker", all: "Web and worker" };

const COLUMNS: DataColumn<Process>[] = [
  {
    key: "process",
    header: "Process",
    cell: ({ role, host, pid }) => (
      <span className="wrap-anywhere">
        {ROLES[role]}{" "}
        <span className="font-normal text-muted-foreground">
          {host} · {pid}
        </span>
      </span>
    ),
  },
  {
    key: "status",
    header: "Status",
    cell: ({ is_live }) => <RecordBadge kind="process" value={is_live ? "live" : "silent"} />,
  },
  {
    key: "version",
    header: "Version",
    cell: ({ version, node_version }) => (
      <span className="tabular-nums">
        {version} <span className="text-muted-foreground">Node {node_version.replace(/^v/, "")}</span>
      </span>
    ),
  },
  { key: "started", header: "Started", cell: ({ started_at }) => <Timestamp value={started_at} /> },
  { key: "seen", header: "Last report", cell: ({ seen_at }) => <Timestamp value={seen_at} /> },
  { key: "memory", header: "Memory", align: "number", cell: ({ rss_bytes }) => formatBytes(rss_bytes) },
  { key: "connections", header: "Connections in use", align: "number", cell: connectionsOf },
  {
    key: "disk",
    header: "Free disk",
    align: "number",
    cell: ({ disk }) =>
      disk === null ? "–" : `${formatBytes(disk.free_bytes)} of ${formatBytes(disk.size_bytes)}`,
  },
];

/** The processes that have reported in the last day. */
export function ProcessTable({ processes }: Pick<InstanceState, "processes">) {
  return (
    <DataTable
      label="Processes"
      columns={COLUMNS}
      rows={processes}
      rowKey={({ id }) => id}
      empty={
        <EmptyState
          icon={Server}
          title="No reports yet"
          description="Each process reports itself every 15 seconds. Wait a moment, or check that the processes can connect to the database."
        />
      }
    />
  );
}

function connectionsOf({ pools }: Process): string {
  const states = Object.values(pools);
  const active = states.reduce((sum, pool) => sum + pool.active, 0);
  const open = states.reduce((sum, pool) => sum + pool.active + pool.idle, 0);
  const waiting = states.reduce((sum, pool) => sum + pool.waiting, 0);
  return `${active} of ${open}${waiting > 0 ? `, ${waiting} waiting` : ""}`;
}
