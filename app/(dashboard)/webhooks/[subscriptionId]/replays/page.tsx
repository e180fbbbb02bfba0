import { EndpointFrame } from "@/components/webhooks/endpoint-frame";
import { EndpointReplays } from "@/components/webhooks/endpoint-replays";
import { loadSearch } from "@/lib/runtime/dashboard/load-search";
import { endpointTitle, readEndpointPage } from "@/lib/runtime/dashboard/read-endpoint-page";
import { ListReplays, listReplays } from "@/lib/webhooks/replays/list-replays";

export const generateMetadata = endpointTitle("Replays");

type ReplaysPageProps = { params: Promise<{ subscriptionId: string }> };

export default async function ReplaysPage({ params }: ReplaysPageProps) {
  const { subscriptionId } = await params;
  const { ctx, shown, lines } = await readEndpointPage(subscriptionId);
  const loaded = await loadSearch(
    ctx,
    { subscription_id: subscriptionId },
    {
      api: "/api/webhooks/replays",
      query: ListReplays.query,
      filters: [{ type: "tab", name: "subscription_id" }],
      search: (query) => listReplays(ctx, { query }),
    },
  );
  return (
    <EndpointFrame key={subscriptionId} {...shown} current="replays">
      <EndpointReplays
        id={subscriptionId}
        found={loaded}
        mayManage={shown.mayManage}
        groups={shown.choices.groups}
        lines={lines}
      />
    </EndpointFrame>
  );
}
