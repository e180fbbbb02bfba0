"use client";

import { BookmarkCheck } from "lucide-react";
import { CodeTabs } from "@/components/data/copy/code-tabs";
import type { DataColumn } from "@/components/data/data-table";
import { None } from "@/components/data/none";
import { Timestamp } from "@/components/data/time/timestamp";
import { ListScreen } from "@/components/list/list-screen";
import { consumerSnippets } from "@/components/snippets/consumer-snippets";
import { ConsumerState } from "@/components/webhooks/consumers/consumer-state";
import { lagText } from "@/components/webhooks/consumers/lag-text";
import type { LoadedSearch } from "@/lib/client/filters";
import type { Consumer } from "@/lib/webhooks/consumers/consumer";

const LOOK_MS = 15_000;

const columns: DataColumn<Consumer>[] = [
  {
    key: "name",
    header: "Consumer",
    className: "sm:max-w-88",
    cell: ({ name, types }) => (
      <span className="flex min-w-0 flex-col">
        <span className="wrap-anywhere font-medium">{name}</span>
        <span className="block min-w-0 text-muted-foreground text-xs max-sm:wrap-anywhere sm:truncate">
          {types.length === 0 ? "All events" : types.join(", ")}
        </span>
      </span>
    ),
  },
  { key: "state", header: "Status", cell: (consumer) => <ConsumerState consumer={consumer} /> },
  {
    key: "lag",
    header: "Waiting events",
    align: "number",
    cell: ({ lag }) => <Lag {...lagText(lag)} />,
  },
  { key: "oldest", header: "Oldest waiting", cell: ({ lag }) => <Moment value={lag.oldest_at} /> },
  { key: "polled", header: "Last poll", cell: ({ last_polled_at }) => <Moment value={last_polled_at} /> },
  {
    key: "lease",
    header: "Lease until",
    cell: ({ leased_until }) => <Moment value={leased_until} format="clock" />,
  },
  { key: "position", header: "Position", align: "number", cell: ({ position }) => position },
];

function Lag({ text, title }: ReturnType<typeof lagText>) {
  return <span title={title}>{text}</span>;
}

function Moment({ value, format }: { value: string | null; format?: "clock" }) {
  return value === null ? <None /> : <Timestamp value={value} {...(format && { format })} />;
}

type ConsumerListProps = { found?: LoadedSearch<{ consumers: Consumer[] }>; baseUrl?: string };

/** The account's consumers, with the events that wait for each. */
export function ConsumerList({ found, baseUrl = "" }: ConsumerListProps) {
  return (
    <ListScreen
      found={found}
      label="Consumers"
      noun={{ one: "consumer", many: "consumers" }}
      rowsOf={(page) => page.consumers}
      columns={columns}
      rowKey={({ name }) => name}
      rowHref={({ name }) => `/webhooks/consumers/${name}`}
      live={{ everyMs: LOOK_MS }}
      empty={{
        icon: BookmarkCheck,
        title: "No consumers yet",
        description:
          "Consumers appear here. A consumer is a named position in the event log, from which a program without a public URL polls events. Create one with the API.",
        below: (
          <CodeTabs
            label="create and poll a consumer"
            snippets={consumerSnippets({ baseUrl, name: "billing", isNew: true })}
          />
        ),
      }}
    />
  );
}
