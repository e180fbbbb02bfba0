"use client";

import { Inbox } from "lucide-react";
import { lazy } from "react";
import type { DataColumn } from "@/components/data/data-table";
import { None } from "@/components/data/none";
import { Timestamp } from "@/components/data/time/timestamp";
import { ListScreen } from "@/components/list/list-screen";
import type { ShownDelivery } from "@/components/webhooks/deliveries/delivery-screen";
import { ListedDeliveryStatus } from "@/components/webhooks/deliveries/delivery-status";
import { ReplayOne } from "@/components/webhooks/deliveries/replay-one";
import { ResumeChats } from "@/components/webhooks/resume-chats";
import type { LoadedSearch } from "@/lib/client/filters";
import type { ListTotal } from "@/lib/platform/lists/total-of";
import type { DeliveryView } from "@/lib/webhooks/deliveries/delivery-view";

const LOOK_MS = 3000;

// Loaded when a delivery is first opened.
const DeliveryScreen = lazy(async () => ({
  default: (await import("@/components/webhooks/deliveries/delivery-screen")).DeliveryScreen,
}));

const columns: DataColumn<DeliveryView>[] = [
  {
    key: "event",
    header: "Event",
    cell: ({ event, replay_id }) => (
      <span className="whitespace-nowrap font-mono text-xs">
        {event.type}
        {replay_id !== null && <span className="ml-2 font-sans text-muted-foreground">replay</span>}
      </span>
    ),
  },
  { key: "status", header: "Status", cell: (delivery) => <ListedDeliveryStatus delivery={delivery} /> },
  {
    key: "recipient",
    header: "Recipient",
    className: "whitespace-nowrap tabular-nums",
    cell: ({ event }) => event.recipient ?? <None />,
  },
  {
    key: "subject",
    header: "Subject",
    className: "sm:max-w-64",
    cell: ({ event }) =>
      event.subject === "" ? (
        <None />
      ) : (
        <span className="block min-w-0 max-sm:wrap-anywhere sm:truncate" title={event.subject}>
          {event.subject}
        </span>
      ),
  },
  { key: "attempts", header: "Attempts", align: "number", cell: ({ attempts }) => attempts },
  {
    key: "answer",
    header: "Last response",
    className: "whitespace-nowrap tabular-nums",
    cell: ({ last_attempt: last }) => last?.status_code ?? last?.error?.replaceAll("_", " ") ?? <None />,
  },
  {
    key: "next",
    header: "Next attempt",
    cell: ({ next_attempt_at: next, waits_for }) => {
      if (waits_for === "earlier_event")
        return <span className="text-muted-foreground">After an earlier event</span>;
      return next === null ? <None /> : <Timestamp value={next} />;
    },
  },
  { key: "time", header: "Time", cell: ({ created_at }) => <Timestamp value={created_at} /> },
];

/** Sends a delivery that did not arrive again, or resumes the chat that it stopped. Others that wait are retried by themselves. */
const wayOut: DataColumn<DeliveryView> = {
  key: "actions",
  header: "Actions",
  hideHeader: true,
  className: "sm:text-right",
  cell: ({ id, subscription_id, status, event }) => {
    if (status === "stopped" && event.chat_id !== null)
      return <ResumeChats endpointId={subscription_id} chatId={event.chat_id} about={event.type} />;
    return (status === "failed" || status === "skipped") && <ReplayOne id={id} about={event.type} />;
  },
};

type DeliveryListProps = {
  endpointId?: string;
  mayManage?: boolean;
  found?: LoadedSearch<{ deliveries: DeliveryView[]; next_cursor: string | null; total: ListTotal }>;
};

/** The deliveries of one endpoint. */
export function DeliveryList({ found, endpointId = "", mayManage = false }: DeliveryListProps) {
  return (
    <section aria-label="Deliveries" className="flex min-w-0 flex-col gap-3">
      <h2 className="font-medium text-sm">Deliveries</h2>
      <ListScreen
        found={found}
        label="Deliveries"
        noun={{ one: "delivery", many: "deliveries" }}
        rowsOf={(page) => page.deliveries}
        columns={mayManage ? [...columns, wayOut] : columns}
        rowKey={({ id }) => id}
        rowHref={({ id, subscription_id }) => `/webhooks/${subscription_id}/deliveries/${id}`}
        panel={(id) => ({
          path: `/api/webhooks/deliveries/${id}`,
          href: `/webhooks/${endpointId}/deliveries/${id}`,
          view: (initial: ShownDelivery) => <DeliveryScreen initial={initial} mayManage={mayManage} />,
        })}
        live={{ everyMs: LOOK_MS }}
        empty={{
          icon: Inbox,
          title: "No deliveries yet",
          description:
            "Deliveries to this endpoint appear here as events happen. Send a test event to see the first one.",
        }}
      />
    </section>
  );
}
