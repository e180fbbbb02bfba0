"use client";

import { RotateCw } from "lucide-react";
import dynamic from "next/dynamic";
import { useSearchParams } from "next/navigation";
import type { DataColumn } from "@/components/data/data-table";
import { RecordBadge } from "@/components/data/record-badge";
import { Timestamp } from "@/components/data/time/timestamp";
import { untilLoaded } from "@/components/data/until-loaded";
import { ListScreen } from "@/components/list/list-screen";
import { ReplayButton } from "@/components/webhooks/replays/replay-button";
import { FAILED_DELIVERIES } from "@/components/webhooks/replays/replay-fields";
import { SelectionText } from "@/components/webhooks/replays/selection-text";
import type { LoadedSearch } from "@/lib/client/filters";
import type { EventGroupChoice } from "@/lib/events/catalog/event-groups";
import type { ListTotal } from "@/lib/platform/lists/total-of";
import type { WebhookReplay } from "@/lib/webhooks/replays/webhook-replay";

// Loaded only while a replay runs.
const ReplayProgress = dynamic(
  () =>
    untilLoaded(async () => (await import("@/components/webhooks/replays/replay-progress")).ReplayProgress),
  { loading: () => null },
);

const LOOK_MS = 5000;

const columns: DataColumn<WebhookReplay>[] = [
  {
    key: "selection",
    header: "Filter",
    className: "sm:max-w-80",
    cell: ({ selection }) => (
      <span className="wrap-anywhere font-normal text-sm">
        <SelectionText selection={selection} />
      </span>
    ),
  },
  {
    key: "state",
    header: "Status",
    cell: ({ state, reason }) => (
      <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <RecordBadge kind="replay" value={state} />
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

type ReplayPage = { replays: WebhookReplay[]; next_cursor: string | null; total: ListTotal };

type EndpointReplaysProps = {
  id: string;
  found: LoadedSearch<ReplayPage>;
  mayManage: boolean;
  groups: EventGroupChoice[];
  lines: { id: string; label?: string | undefined; phone_number: string }[];
};

/** An endpoint's replays: buttons that start one, the running replay, and past replays. */
export function EndpointReplays({ id, found, mayManage, groups, lines }: EndpointReplaysProps) {
  // A notice of skipped events links here.
  const isOffered = useSearchParams().has("replay");
  return (
    <section aria-label="Replays" className="flex min-w-0 flex-col gap-4">
      {mayManage && (
        <div className="flex flex-wrap gap-2">
          <ReplayButton
            label="Replay failed…"
            id={id}
            groups={groups}
            lines={lines}
            initial={FAILED_DELIVERIES}
            narrowed={false}
            startsOpen={isOffered}
          />
          <ReplayButton
            label="Replay by filter…"
            id={id}
            groups={groups}
            lines={lines}
            initial={{ ...FAILED_DELIVERIES, statuses: ["delivered", "failed", "skipped"] }}
            narrowed
          />
        </div>
      )}
      <ReplayList found={found} mayManage={mayManage} />
    </section>
  );
}

type ReplayListProps = {
  found?: LoadedSearch<ReplayPage>;
  mayManage?: boolean;
};

/** The replays of one endpoint. Running replays are shown above the table with their progress. */
export function ReplayList({ found, mayManage = false }: ReplayListProps) {
  return (
    <ListScreen
      found={found}
      label="Replays"
      noun={{ one: "replay", many: "replays" }}
      header={({ replays }) =>
        replays
          .filter(({ ended_at, selection }) => ended_at === null && "filter" in selection)
          .map((replay) => <ReplayProgress key={replay.id} initial={replay} mayManage={mayManage} />)
      }
      rowsOf={(page) => page.replays}
      columns={columns}
      rowKey={({ id }) => id}
      rowHref={({ id, subscription_id }) => `/webhooks/${subscription_id}?replay=${id}`}
      live={{ everyMs: LOOK_MS }}
      empty={{
        icon: RotateCw,
        title: "No replays yet",
        description: mayManage
          ? "Replays appear here. If the endpoint was down, use “Replay failed…” to send the missed events."
          : "Replays appear here. Ask an admin or a developer to replay events that the endpoint has missed.",
      }}
    />
  );
}
