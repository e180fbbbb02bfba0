"use client";

import { Phone } from "lucide-react";
import type { DataColumn } from "@/components/data/data-table";
import { Grouped } from "@/components/data/grouped";
import { StatusBadge } from "@/components/data/status-badge";
import { Timestamp } from "@/components/data/time/timestamp";
import type { LineOffer } from "@/components/lines/add-line";
import { AddLineButton } from "@/components/lines/add-line-button";
import { describeReputation } from "@/components/lines/audits/describe-reputation";
import { ChatHealthBar } from "@/components/lines/chat-health-bar";
import { waitingText } from "@/components/lines/line-capacity";
import { LineState } from "@/components/lines/line-state";
import { VolumeSparkline } from "@/components/lines/volume-sparkline";
import { ListScreen } from "@/components/list/list-screen";
import type { LoadedSearch } from "@/lib/client/filters";
import type { LineView } from "@/lib/lines/overview/list-line-views";

const LOOK_MS = 30_000;

const columns: DataColumn<LineView>[] = [
  {
    key: "number",
    header: "Line",
    cell: ({ label, phone_number }) => (
      <span className="flex flex-col">
        {label !== undefined && <bdi className="font-medium">{label}</bdi>}
        <span className="text-xs tabular-nums">
          <Grouped>{phone_number}</Grouped>
        </span>
      </span>
    ),
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
    key: "queue",
    header: "Queue",
    cell: ({ queue }) =>
      queue.oldest_at === null ? (
        <span className="text-muted-foreground text-xs">Empty</span>
      ) : (
        <span className="flex flex-col text-xs max-sm:items-end">
          <span className="font-medium tabular-nums">{waitingText(queue.waiting)} waiting</span>
          <span className="text-muted-foreground">
            since <Timestamp value={queue.oldest_at} interactive={false} />
          </span>
        </span>
      ),
  },
  {
    key: "forwarding",
    header: "Forwards to",
    cell: ({ forwarding_number }) =>
      forwarding_number === null ? (
        <span className="text-muted-foreground text-xs">Not forwarded</span>
      ) : (
        <span className="text-xs tabular-nums">
          <Grouped>{forwarding_number}</Grouped>
        </span>
      ),
  },
];

type LineListProps = {
  found?: LoadedSearch<{ lines: LineView[] }>;
  /** The lines that the user may add. */
  offer?: LineOffer;
};

/** The account's lines with their reputation and volume. */
export function LineList({ found, offer }: LineListProps) {
  const canAdd = offer !== undefined && offer.kinds.length + offer.transports.length > 0;
  return (
    <ListScreen
      found={found}
      label="Lines"
      noun={{ one: "line", many: "lines" }}
      rowsOf={(page) => page.lines}
      columns={columns}
      rowKey={({ id }) => id}
      rowHref={({ id }) => `/lines/${id}`}
      live={{ everyMs: LOOK_MS }}
      actions={canAdd && <AddLineButton offer={offer} />}
      empty={{
        icon: Phone,
        title: "No lines yet",
        description: canAdd
          ? "Phone numbers that send and receive messages appear here. Add the first line."
          : "Phone numbers that send and receive messages appear here. Ask your operator to add one, here or with npm run admin -- create-line.",
        action: canAdd && <AddLineButton offer={offer} />,
      }}
    />
  );
}
