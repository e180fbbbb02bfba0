import type { ReactNode } from "react";
import { type DataColumn, DataTable } from "@/components/data/data-table";
import { StatusBadge } from "@/components/data/status-badge";
import { Timestamp } from "@/components/data/timestamp";
import type { WatchedChat } from "@/lib/messaging/health/list-chat-health";

/** As many sends without an answer are counted. */
const UNANSWERED_MOST = 8;

const DRIVERS = {
  opted_out: "Opted out",
  unanswered: "Unanswered",
  low_reply_ratio: "Few answers",
  repeated_text: "Same text",
} as const satisfies Record<WatchedChat["drivers"][number]["key"], string>;

const columns: DataColumn<WatchedChat>[] = [
  {
    key: "recipient",
    header: "Recipient",
    className: "sm:max-w-56",
    cell: ({ recipient }) => (
      <span className="block min-w-0 font-mono text-xs max-sm:wrap-anywhere sm:truncate" title={recipient}>
        {recipient}
      </span>
    ),
  },
  {
    key: "line",
    header: "Line",
    cell: ({ line }) => <span className="font-mono text-xs">{line}</span>,
  },
  { key: "health", header: "Health", cell: ({ status }) => <StatusBadge kind="health" value={status} /> },
  {
    key: "unanswered",
    header: "Unanswered",
    align: "number",
    cell: ({ unanswered }) => (unanswered >= UNANSWERED_MOST ? `${UNANSWERED_MOST}+` : unanswered),
  },
  {
    key: "drivers",
    header: "Because of",
    cell: ({ drivers }) => (
      <span className="flex flex-col gap-0.5 text-xs max-sm:items-end">
        {drivers.map(({ key, metric }) => (
          <span key={key}>
            {DRIVERS[key]} <span className="text-muted-foreground tabular-nums">{metric}</span>
          </span>
        ))}
        {drivers.length === 0 && <span className="text-muted-foreground">Nothing</span>}
      </span>
    ),
  },
  {
    key: "since",
    header: "Since",
    cell: ({ health_updated_at }) => <Timestamp value={health_updated_at} />,
  },
  {
    key: "activity",
    header: "Last activity",
    cell: ({ last_activity_at }) => <Timestamp value={last_activity_at} />,
  },
];

/** Chats with what weighs on them, as rows that lead to them. */
export function ChatHealthTable({ chats, empty }: { chats: WatchedChat[]; empty: ReactNode }) {
  return (
    <DataTable
      label="Chats by health"
      columns={columns}
      rows={chats}
      rowKey={({ chat_id }) => chat_id}
      rowHref={({ chat_id }) => `/chats/${chat_id}`}
      empty={empty}
    />
  );
}
