import { type DataColumn, DataTable } from "@/components/data/data-table";
import { RecordBadge } from "@/components/data/record-badge";
import type { InstanceState } from "@/lib/operations/instance/instance";

type Queue = InstanceState["queues"][number];

const MAX_COUNTED = 10_000;
const NAMES = {
  messages: "Messages",
  webhooks: "Webhook deliveries",
  actions: "Chat actions",
  mails: "Emails",
};

const COLUMNS: DataColumn<Queue>[] = [
  { key: "queue", header: "Queue", cell: ({ name }) => NAMES[name] },
  {
    key: "status",
    header: "Status",
    cell: ({ is_old }) => <RecordBadge kind="queue" value={is_old ? "behind" : "current"} />,
  },
  {
    key: "depth",
    header: "Due items",
    align: "number",
    cell: ({ depth }) =>
      depth >= MAX_COUNTED ? `${MAX_COUNTED.toLocaleString("en")}+` : depth.toLocaleString("en"),
  },
  {
    key: "oldest",
    header: "Oldest",
    align: "number",
    cell: ({ depth, oldest_seconds }) => (depth === 0 ? "–" : formatAge(oldest_seconds)),
  },
];

/** The queues of the whole instance. */
export function QueueTable({ queues }: Pick<InstanceState, "queues">) {
  return <DataTable label="Queues" columns={COLUMNS} rows={queues} rowKey={({ name }) => name} />;
}

function formatAge(seconds: number): string {
  if (seconds < 60) return `${Math.round(seconds)} s`;
  if (seconds < 3600) return `${Math.round(seconds / 60)} min`;
  return `${(seconds / 3600).toFixed(1)} h`;
}
