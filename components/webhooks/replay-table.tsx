import { RotateCw } from "lucide-react";
import { type DataColumn, DataTable } from "@/components/data/data-table";
import { EmptyState } from "@/components/data/empty-state";
import { StatusBadge } from "@/components/data/status-badge";
import { Timestamp } from "@/components/data/timestamp";
import { describeSelection } from "@/components/webhooks/describe-selection";
import type { WebhookReplay } from "@/lib/webhooks/webhook-replay";

const columns: DataColumn<WebhookReplay>[] = [
  {
    key: "selection",
    header: "Filter",
    className: "sm:max-w-80",
    cell: ({ selection }) => (
      <span className="wrap-anywhere font-normal text-sm">{describeSelection(selection)}</span>
    ),
  },
  {
    key: "state",
    header: "Status",
    cell: ({ state, reason }) => (
      <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <StatusBadge kind="replay" value={state} />
        {reason && <span className="text-muted-foreground text-xs">{reason}</span>}
      </span>
    ),
  },
  { key: "total", header: "Events", align: "number", cell: ({ total }) => total.toLocaleString("en") },
  {
    key: "delivered",
    header: "Delivered",
    align: "number",
    cell: ({ delivered }) => delivered.toLocaleString("en"),
  },
  { key: "failed", header: "Failed", align: "number", cell: ({ failed }) => failed.toLocaleString("en") },
  { key: "skipped", header: "Skipped", align: "number", cell: ({ skipped }) => skipped.toLocaleString("en") },
  { key: "by", header: "By", cell: ({ created_by }) => created_by ?? "–" },
  { key: "time", header: "Started", cell: ({ created_at }) => <Timestamp value={created_at} /> },
];

/** A table of replays, with links to their deliveries. */
export function ReplayTable({ replays, mayManage }: { replays: WebhookReplay[]; mayManage: boolean }) {
  return (
    <DataTable
      label="Replays"
      columns={columns}
      rows={replays}
      rowKey={({ id }) => id}
      rowHref={({ id, subscription_id }) => `/webhooks/${subscription_id}?replay=${id}`}
      empty={
        <EmptyState
          icon={RotateCw}
          title="No replays yet"
          description={
            mayManage
              ? "Replays appear here. If the endpoint was down, use “Replay failed…” to send the missed events."
              : "Replays appear here. Ask an admin or a developer to replay events that the endpoint has missed."
          }
        />
      }
    />
  );
}
