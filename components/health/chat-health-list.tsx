"use client";

import { HeartPulse } from "lucide-react";
import type { z } from "zod";
import { NamedHandle } from "@/components/customers/handle-link";
import type { DataColumn } from "@/components/data/data-table";
import { Grouped } from "@/components/data/grouped";
import { PageTabs } from "@/components/data/page-tabs";
import { StatusBadge, statusStyles } from "@/components/data/status-badge";
import { Timestamp } from "@/components/data/time/timestamp";
import { ListScreen } from "@/components/list/list-screen";
import type { FilterValues, LoadedSearch } from "@/lib/client/filters";
import { queryString } from "@/lib/client/query-string";
import type { ListChatHealth, WatchedChat } from "@/lib/messaging/health/list-chat-health";

type Board = z.infer<(typeof ListChatHealth)["returns"]>;

const LOOK_MS = 10_000;
/** The API counts chats per health status up to this number. */
const MAX_COUNT = 1000;
const ORDER = ["CRITICAL", "AT_RISK", "OPTED_OUT", "HEALTHY"] as const;

/** The API counts unanswered messages up to this number. */
const MAX_UNANSWERED = 8;

const DRIVERS = {
  opted_out: "Opted out",
  unanswered: "Unanswered",
  low_reply_ratio: "Few replies",
  repeated_text: "Repeated text",
} as const satisfies Record<WatchedChat["drivers"][number]["key"], string>;

const columns: DataColumn<WatchedChat>[] = [
  {
    key: "recipient",
    header: "Recipient",
    className: "sm:max-w-56",
    cell: ({ recipient, is_group }) => (
      <span className="block min-w-0 font-mono text-xs max-sm:wrap-anywhere sm:truncate" title={recipient}>
        {is_group ? <Grouped>{recipient}</Grouped> : <NamedHandle handle={recipient} />}
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
    cell: ({ unanswered }) => (unanswered >= MAX_UNANSWERED ? `${MAX_UNANSWERED}+` : unanswered),
  },
  {
    key: "drivers",
    header: "Risk factors",
    cell: ({ drivers }) => (
      <span className="flex flex-col gap-0.5 text-xs max-sm:items-end">
        {drivers.map(({ key, metric }) => (
          <span key={key}>
            {DRIVERS[key]} <span className="text-muted-foreground tabular-nums">{metric}</span>
          </span>
        ))}
        {drivers.length === 0 && <span className="text-muted-foreground">None</span>}
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

/** The account's chats with one health status; by default the worst status that has any. */
export function ChatHealthList({ found }: { found?: LoadedSearch<Board> }) {
  return (
    <ListScreen
      found={found}
      label="Chats by health"
      noun={{ one: "chat", many: "chats" }}
      further="more chats"
      rowsOf={(page) => page.chats}
      columns={columns}
      rowKey={({ chat_id }) => chat_id}
      rowHref={({ chat_id }) => `/chats/${chat_id}`}
      live={{ everyMs: LOOK_MS }}
      header={({ status, counts }, values) => (
        <PageTabs label="Health" current={status} tabs={tabsOf(counts, values)} />
      )}
      empty={{
        icon: HeartPulse,
        title: "No chats with this health",
        description:
          "Chats appear here when their health changes to this status. Choose another tab to see other chats.",
      }}
    />
  );
}

function tabsOf(counts: Board["counts"], values: FilterValues) {
  return ORDER.map((status) => ({
    id: status,
    label: `${statusStyles.health[status].label} (${countText(counts[status])})`,
    href: `/chat-health${queryString({ ...values, status })}`,
  }));
}

function countText(count: number): string {
  return count > MAX_COUNT ? `${MAX_COUNT.toLocaleString("en-US")}+` : count.toLocaleString("en-US");
}
