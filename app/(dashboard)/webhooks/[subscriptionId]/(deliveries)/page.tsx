import { recordOptions } from "@/components/data/record-badge";
import { DeliveryList } from "@/components/webhooks/deliveries/delivery-list";
import { EndpointFrame } from "@/components/webhooks/endpoint-frame";
import { SendTest } from "@/components/webhooks/send-test";
import type { Filter, SearchParams } from "@/lib/client/filters";
import type { EventGroupChoice } from "@/lib/events/catalog/event-groups";
import { loadSearch } from "@/lib/runtime/dashboard/load-search";
import { endpointTitle, readEndpointPage } from "@/lib/runtime/dashboard/read-endpoint-page";
import { ListDeliveryViews, listDeliveryViews } from "@/lib/webhooks/deliveries/list-delivery-views";

export const generateMetadata = endpointTitle("Webhook endpoint");

const NO_ANSWER = [
  "timeout",
  "refused",
  "reset",
  "tls",
  "network",
  "dns",
  "dns_unavailable",
  "private_target",
  "invalid_target",
  "not_in_version",
];
const CODES = [200, 201, 202, 204, 301, 302, 307, 308, 400, 401, 403, 404, 405, 408, 410, 413, 415, 422, 429];
const RESPONSES = [...NO_ANSWER, ...CODES.concat(500, 502, 503, 504).map(String)].map((value) => ({
  value,
  label: value.replaceAll("_", " "),
}));

function filtersOf(groups: EventGroupChoice[]): Filter[] {
  return [
    {
      type: "select",
      name: "status",
      label: "Status",
      all: "All statuses",
      options: recordOptions("webhook", ["waiting", "stopped", "delivered", "failed", "skipped"]),
    },
    { type: "types", name: "types", groups },
    { type: "select", name: "response", label: "Last response", all: "Any response", options: RESPONSES },
    {
      type: "subject",
      subjects: [
        { name: "event", param: "event_id", label: "Event ID" },
        { name: "message", param: "message_id", label: "Message ID" },
        { name: "chat", param: "chat_id", label: "Chat ID" },
        { name: "replay", param: "replay_id", label: "Replay ID" },
      ],
    },
    { type: "time", label: "Time" },
  ];
}

type EndpointPageProps = {
  params: Promise<{ subscriptionId: string }>;
  searchParams: Promise<SearchParams>;
};

export default async function EndpointPage({ params, searchParams }: EndpointPageProps) {
  const [{ subscriptionId }, asked] = await Promise.all([params, searchParams]);
  const { ctx, shown } = await readEndpointPage(subscriptionId);
  const { initial: endpoint, mayManage, choices } = shown;
  const loaded = await loadSearch(ctx, asked, {
    api: `/api/webhooks/${endpoint.id}/deliveries`,
    query: ListDeliveryViews.query,
    filters: filtersOf(choices.groups),
    search: (query) => listDeliveryViews(ctx, { params: { subscriptionId: endpoint.id }, query }),
  });
  return (
    <EndpointFrame key={subscriptionId} {...shown} current="deliveries">
      {mayManage && <SendTest key={endpoint.id} id={endpoint.id} types={endpoint.subscribed_events} />}
      <DeliveryList found={loaded} endpointId={endpoint.id} mayManage={mayManage} />
    </EndpointFrame>
  );
}
