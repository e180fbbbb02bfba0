import { readDeliveryFilter, toDeliveryQuery } from "@/components/webhooks/delivery-filter";
import { EndpointDeliveries } from "@/components/webhooks/endpoint-deliveries";
import { EndpointFrame } from "@/components/webhooks/endpoint-frame";
import { SendTest } from "@/components/webhooks/send-test";
import type { Context } from "@/lib/platform/context";
import { ApiError } from "@/lib/platform/errors";
import { readEndpointPage } from "@/lib/runtime/dashboard/read-endpoint-page";
import { ListDeliveries, listDeliveries } from "@/lib/webhooks/list-deliveries";

export const metadata = { title: "Webhook endpoint" };

type EndpointPageProps = {
  params: Promise<{ subscriptionId: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
};

export default async function EndpointPage({ params, searchParams }: EndpointPageProps) {
  const [{ subscriptionId }, query] = await Promise.all([params, searchParams]);
  const { ctx, shown } = await readEndpointPage(subscriptionId);
  const { initial: endpoint, mayManage, choices } = shown;
  const filter = readDeliveryFilter(query);
  return (
    <EndpointFrame key={subscriptionId} {...shown} current="deliveries">
      {mayManage && <SendTest key={endpoint.id} id={endpoint.id} types={endpoint.subscribed_events} />}
      <EndpointDeliveries
        id={endpoint.id}
        initial={await find(ctx, endpoint.id, toDeliveryQuery(filter))}
        filter={filter}
        groups={choices.groups}
      />
    </EndpointFrame>
  );
}

// What cannot be asked for is asked by the page itself, which shows why it was refused.
async function find(ctx: Context, subscriptionId: string, asked: Record<string, string | undefined>) {
  const query = ListDeliveries.query.safeParse(asked);
  if (!query.success) return undefined;
  return listDeliveries(ctx, { params: { subscriptionId }, query: query.data }).catch((error: unknown) => {
    if (error instanceof ApiError) return undefined;
    throw error;
  });
}
