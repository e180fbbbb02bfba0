import { EndpointFrame } from "@/components/webhooks/endpoint-frame";
import { EndpointReplays } from "@/components/webhooks/endpoint-replays";
import { readEndpointPage } from "@/lib/runtime/dashboard/read-endpoint-page";
import { listReplays } from "@/lib/webhooks/list-replays";

export const metadata = { title: "Endpoint replays" };

type ReplaysPageProps = { params: Promise<{ subscriptionId: string }> };

export default async function ReplaysPage({ params }: ReplaysPageProps) {
  const { subscriptionId } = await params;
  const { ctx, shown, lines } = await readEndpointPage(subscriptionId);
  const replays = await listReplays(ctx, { query: { subscription_id: subscriptionId, limit: 20 } });
  return (
    <EndpointFrame key={subscriptionId} {...shown} current="replays">
      <EndpointReplays
        id={subscriptionId}
        initial={replays}
        mayManage={shown.mayManage}
        groups={shown.choices.groups}
        lines={lines}
      />
    </EndpointFrame>
  );
}
