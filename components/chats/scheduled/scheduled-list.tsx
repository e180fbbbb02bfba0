"use client";

import { CalendarClock } from "lucide-react";
import { ScheduledActions } from "@/components/chats/scheduled/scheduled-actions";
import { textOfScheduled } from "@/components/chats/scheduled/text-of-scheduled";
import { NamedHandle } from "@/components/customers/handle-link";
import type { DataColumn } from "@/components/data/data-table";
import { Timestamp } from "@/components/data/time/timestamp";
import { LineName } from "@/components/lines/line-name";
import { ListScreen } from "@/components/list/list-screen";
import { actorName } from "@/components/opt-outs/describe-opt-out";
import type { LoadedSearch } from "@/lib/client/filters";
import type { ScheduledMessageView } from "@/lib/messaging/scheduled/list-scheduled-message-views";
import type { ListTotal } from "@/lib/platform/lists/total-of";

/** The list also polls, because scheduling, moving and canceling emit no event. */
const LIVE = { types: ["message.sent", "message.failed"], everyMs: 10_000 };

const columns: DataColumn<ScheduledMessageView>[] = [
  { key: "chat", header: "Chat", cell: (message) => <Chat message={message} /> },
  {
    key: "text",
    header: "Message",
    className: "max-w-80",
    cell: (message) => (
      <span className="wrap-anywhere line-clamp-2 whitespace-pre-line max-sm:text-right">
        {textOfScheduled(message) || <span className="text-muted-foreground">No longer stored</span>}
      </span>
    ),
  },
  {
    key: "due",
    header: "Due",
    cell: ({ send_at }) => <Timestamp value={send_at} format="moment" />,
  },
  { key: "line", header: "Line", cell: ({ line }) => <LineName number={line} /> },
  { key: "by", header: "Scheduled by", cell: ({ by }) => byName(by) },
];

const STATUS: DataColumn<ScheduledMessageView> = {
  key: "status",
  header: "Status",
  cell: (message) => <Status message={message} />,
};

const ACTIONS: DataColumn<ScheduledMessageView> = {
  key: "actions",
  header: "Actions",
  hideHeader: true,
  cell: (message) =>
    message.status === "waiting" && (
      <div className="flex flex-wrap gap-1.5 sm:justify-end">
        <ScheduledActions message={message} />
      </div>
    ),
};

type ScheduledListProps = {
  found?: LoadedSearch<{
    scheduled_messages: ScheduledMessageView[];
    next_cursor: string | null;
    total: ListTotal;
  }>;
  maySend?: boolean;
};

/** The scheduled messages of all chats. Each row opens its chat. */
export function ScheduledList({ found, maySend = false }: ScheduledListProps) {
  return (
    <ListScreen
      found={found}
      label="Scheduled messages"
      noun={{ one: "scheduled message", many: "scheduled messages" }}
      further="more scheduled messages"
      rowsOf={(page) => page.scheduled_messages}
      columns={maySend ? [...columns, STATUS, ACTIONS] : [...columns, STATUS]}
      rowKey={({ id }) => id}
      rowHref={({ chat_id }) => `/chats/${chat_id}`}
      live={LIVE}
      empty={{
        icon: CalendarClock,
        title: "No scheduled messages",
        description: (
          <>
            Messages that wait for their time appear here until they are sent. Schedule one with Send later in
            a chat, or with <code>send_at</code> in the API.
          </>
        ),
      }}
    />
  );
}

function Chat({ message: { chat_name, recipients } }: { message: ScheduledMessageView }) {
  const [first] = recipients;
  if (chat_name !== null) return <bdi>{chat_name}</bdi>;
  if (recipients.length === 1 && first !== undefined) return <NamedHandle handle={first} />;
  return <bdi className="wrap-anywhere">{recipients.join(", ") || "Chat"}</bdi>;
}

function Status({ message: { status, failure } }: { message: ScheduledMessageView }) {
  if (status === "waiting") return "Waiting";
  if (failure === null) return "Refused";
  return (
    <span className="text-destructive-text max-sm:text-right" title={failure.reason}>
      {failure.title} (
      <a href={failure.doc_url} target="_blank" rel="noreferrer" className="underline underline-offset-2">
        code {failure.code}
      </a>
      )
    </span>
  );
}

function byName(by: ScheduledMessageView["by"]): string {
  const name = actorName(by);
  return name.charAt(0).toUpperCase() + name.slice(1);
}
