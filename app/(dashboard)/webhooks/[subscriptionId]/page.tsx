import { readDeliveryFilter } from "@/components/webhooks/delivery-filter";
import { EndpointDeliveries } from "@/components/webhooks/endpoint-deliveries";
import { EndpointFrame } from "@/components/webhooks/endpoint-frame";
import { SendTest } from "@/components/webhooks/send-test";
import { readEndpointPage } from "@/lib/dashboard/read-endpoint-page";

export const metadata = { title: "Webhook endpoint" };

type EndpointPageProps = {
  params: Promise<{ subscriptionId: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
};

export default async function EndpointPage({ params, searchParams }: EndpointPageProps) {
  const [{ subscriptionId }, query] = await Promise.all([params, searchParams]);
  const { shown } = await readEndpointPage(subscriptionId);
  const { initial: endpoint, mayManage, choices } = shown;
  return (
    <EndpointFrame key={subscriptionId} {...shown} current="deliveries">
      {mayManage && <SendTest key={endpoint.id} id={endpoint.id} types={endpoint.subscribed_events} />}
      <EndpointDeliveries id={endpoint.id} filter={readDeliveryFilter(query)} groups={choices.groups} />
    </EndpointFrame>
  );
}
