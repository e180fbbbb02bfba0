import { EventsScreen } from "@/components/events/events-screen";
import type { Filter, SearchParams } from "@/lib/client/filters";
import { lineChoices } from "@/lib/client/line-text";
import { listEventGroups } from "@/lib/events/catalog/event-groups";
import { ListEventViews, listEventViews } from "@/lib/events/search/list-event-views";
import { logPosition } from "@/lib/events/tail/log-position";
import { listLines } from "@/lib/lines/lines/list-lines";
import { requireAccount } from "@/lib/runtime/dashboard/current-session";
import { loadSearch } from "@/lib/runtime/dashboard/load-search";
import { listWebhookSubscriptions } from "@/lib/webhooks/subscriptions/list-webhook-subscriptions";

export const metadata = { title: "Events" };

const STATUSES = [
  { value: "waiting", label: "Waiting" },
  { value: "stopped", label: "Stopped" },
  { value: "delivered", label: "Delivered" },
  { value: "failed", label: "Failed" },
  { value: "skipped", label: "Skipped" },
];

type Choices = {
  lines: { id: string; label?: string | undefined; phone_number: string }[];
  endpoints: { id: string; target_url: string }[];
};

function filtersOf({ lines, endpoints }: Choices): Filter[] {
  return [
    {
      type: "search",
      name: "q",
      label:
        "Search by the ID of an event, message, chat, line, attachment, payment request, delivery, subscription or replay, a trace ID, a phone number or an email address",
      placeholder: "ID, trace ID, phone number or email",
    },
    { type: "types", name: "types", groups: listEventGroups() },
    {
      type: "select",
      name: "line",
      param: "line_id",
      label: "Line",
      all: "All lines",
      options: lineChoices(lines),
    },
    { type: "time", label: "Time" },
    {
      type: "select",
      name: "status",
      label: "Deliveries",
      all: "All deliveries",
      options: STATUSES,
      isFolded: true,
    },
    {
      type: "select",
      name: "endpoint",
      param: "subscription_id",
      label: "Endpoint",
      all: "All endpoints",
      options: endpoints.map(({ id, target_url }) => ({ value: id, label: target_url })),
      isFolded: true,
    },
    {
      type: "text",
      name: "chat",
      param: "chat_id",
      label: "Chat ID",
      placeholder: "Chat ID",
      isFolded: true,
    },
    {
      type: "text",
      name: "path",
      param: "json_path",
      label: "JSON path that the event data must match",
      placeholder: 'JSON path: $.message.parts[*].value like_regex "refund"',
      wide: true,
      isFolded: true,
    },
  ];
}

export default async function EventsPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const { ctx, may } = await requireAccount("view_events");
  const [asked, { phone_numbers }, { subscriptions }, after] = await Promise.all([
    searchParams,
    listLines(ctx),
    listWebhookSubscriptions(ctx),
    logPosition(),
  ]);
  const lines = phone_numbers.map(({ id, label, phone_number }) => ({ id, label, phone_number }));
  const endpoints = subscriptions.map(({ id, target_url }) => ({ id, target_url }));
  const loaded = await loadSearch(ctx, asked, {
    api: "/api/events",
    query: ListEventViews.query,
    filters: filtersOf({ lines, endpoints }),
    search: (query) => listEventViews(ctx, { query }),
  });
  return (
    <EventsScreen
      key={ctx.account.id}
      found={loaded}
      lines={lines}
      mayManage={may("manage_webhooks")}
      after={after}
    />
  );
}
