import type { ReactNode } from "react";
import { type DataColumn, DataTable } from "@/components/data/data-table";
import { StatusBadge } from "@/components/data/status-badge";
import { ChatHealthBar } from "@/components/lines/chat-health-bar";
import { describeReputation } from "@/components/lines/describe-reputation";
import { LineState } from "@/components/lines/line-state";
import { VolumeSparkline } from "@/components/lines/volume-sparkline";
import type { LineSettings } from "@/lib/lines/lines/list-line-settings";

const columns: DataColumn<LineSettings>[] = [
  {
    key: "number",
    header: "Number",
    cell: ({ phone_number }) => <span className="font-mono text-xs">{phone_number}</span>,
  },
  {
    key: "type",
    header: "Type",
    cell: ({ line_type }) => <StatusBadge kind="service" value={line_type} />,
  },
  { key: "status", header: "Status", cell: (line) => <LineState line={line} /> },
  {
    key: "reputation",
    header: "Reputation",
    cell: (line) => (
      <span className="flex flex-col gap-0.5 max-sm:items-end">
        <StatusBadge kind="health" value={line.reputation.status} />
        <span className="text-muted-foreground text-xs">{describeReputation(line)}</span>
      </span>
    ),
  },
  { key: "chats", header: "Chats", cell: ({ chats }) => <ChatHealthBar chats={chats} /> },
  { key: "volume", header: "Last 7 days", cell: ({ week }) => <VolumeSparkline week={week} /> },
  {
    key: "forwarding",
    header: "Forwards to",
    cell: ({ forwarding_number }) =>
      forwarding_number === null ? (
        <span className="text-muted-foreground text-xs">Nowhere</span>
      ) : (
        <span className="font-mono text-xs">{forwarding_number}</span>
      ),
  },
];

/** Lines as rows that lead to their pages. */
export function LineTable({ lines, empty }: { lines: LineSettings[]; empty: ReactNode }) {
  return (
    <DataTable
      label="Lines"
      columns={columns}
      rows={lines}
      rowKey={({ id }) => id}
      rowHref={({ id }) => `/lines/${id}`}
      empty={empty}
    />
  );
}
